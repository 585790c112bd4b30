from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from minesite import site_process


class Command(BaseCommand):
    help = "Runs the whole site on this machine: Redis, web, worker. Ctrl-C stops it."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            site_process.run()
        except site_process.CannotStart as error:
            print(f"minesite: {error}", file=sys.stderr)
            sys.exit(1)
