from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from minesite import site_process


class Command(BaseCommand):
    help = (
        "Brings the database and the static files up to date; `up` does this by itself. "
        "Example: manage.py prepare. "
        "Exit code 0: all is up to date; 1: something failed, and the last line says what."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            site_process.prepare()
        except site_process.CannotStart as error:
            print(f"minesite: {error}", file=sys.stderr)
            sys.exit(1)
