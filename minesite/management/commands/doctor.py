from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from minesite.doctor import machine, site, stores
from minesite.doctor.finding import Finding, Level


class Command(BaseCommand):
    help = (
        "Checks a deployment and says in plain words what is wrong: files, disk, settings, Redis, "
        "database, clocks, processes, matches that can't be stored, affinity. With --url also what "
        "browsers meet there. "
        "Example: manage.py doctor --url https://play.example.org. "
        "Exit code 0: all is well or there are only warnings; 1: there are problems."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", help="the address that browsers use, proxy included")

    def handle(self, *args: Any, **options: Any) -> None:
        url = options["url"].rstrip("/") if options["url"] else None
        problems = self._tell(machine.files(settings.DATA_DIR))
        problems += self._tell(machine.disk(settings.DATA_DIR))
        problems += self._tell(machine.configuration(url))
        problems += self._tell(stores.database())
        servers = asyncio.run(stores.redis_servers())
        problems += self._tell(servers)
        if not any(finding.level is Level.PROBLEM for finding in servers):
            problems += self._tell(asyncio.run(site.processes()))
            problems += self._tell(asyncio.run(site.stuck_ends()))
            problems += self._tell(asyncio.run(site.affinity()))
        if url:
            problems += self._tell(site.address(url))
        if problems:
            sys.exit(1)

    def _tell(self, findings: Iterable[Finding]) -> int:
        """Print them; returns how many are problems."""
        styles = {
            Level.GOOD: self.style.SUCCESS,
            Level.WARNING: self.style.WARNING,
            Level.PROBLEM: self.style.ERROR,
        }
        count = 0
        for level, text, remedy in findings:
            self.stdout.write(f"{styles[level](level.value.ljust(8))} {text}")
            if remedy:
                self.stdout.write(f"{'':8} {remedy}")
            count += level is Level.PROBLEM
        return count
