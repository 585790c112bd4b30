from __future__ import annotations

import asyncio
import signal
from typing import Any

import uvloop
from django.conf import settings
from django.core.management.base import BaseCommand

from minesite import worker
from minesite.parent import end_with_parent
from minesite.site_redis import refuse_cluster


class Command(BaseCommand):
    help = (
        "Runs the background jobs: matchmaking, timers of unhosted matches, house bots, TCP port. "
        "Several may run, on any machine. "
        "Example: manage.py worker. "
        "Exit code 0: stopped by a signal; 1: it can't run with these settings."
    )

    requires_system_checks: list[str] = []  # `up` restarts us, and quickly

    def handle(self, *args: Any, **options: Any) -> None:
        end_with_parent()
        refuse_cluster()
        uvloop.run(self._run())

    async def _run(self) -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        for name in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(name, stop.set)
        await worker.run(worker.load(settings.WORKER_JOBS), stop)
