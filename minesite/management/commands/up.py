from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from minesite import site_process


class Command(BaseCommand):
    help = (
        "Runs the whole site on this machine: Redis, web, worker. Ctrl-C stops it; SIGHUP replaces "
        "web and worker without a pause. "
        "Example: manage.py up. "
        "Exit code 0: stopped by a signal; 1: it can't start, and the last line says why."
    )
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            site_process.run()
        except site_process.CannotStart as error:
            print(f"minesite: {error}", file=sys.stderr)
            sys.exit(1)
