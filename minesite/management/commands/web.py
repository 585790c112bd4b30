from __future__ import annotations

import socket
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from minesite.affinity import Affinity
from minesite.parent import end_with_parent
from minesite.site_redis import refuse_cluster
from minesite.web_server import WebServer


class Command(BaseCommand):
    help = (
        "Serves HTTP and WebSockets with uvicorn: one process, on HOST and PORT. "
        "Example: manage.py web. "
        "Exit code 0: stopped by a signal; 1: it can't listen or run with these settings."
    )
    requires_system_checks: list[str] = []  # `up` restarts us, and quickly

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--fd", type=int, help="a listening socket, inherited")
        parser.add_argument(
            "--number", type=int, help="which of WEB_PROCESSES on one listening socket this is"
        )
        parser.add_argument("--ready-fd", type=int, help="gets a byte once connections are taken")

    def handle(self, *args: Any, **options: Any) -> None:
        end_with_parent()
        refuse_cluster()
        config = uvicorn.Config(
            "minesite.asgi:application",
            host=settings.HOST,
            port=settings.PORT,
            loop="uvloop",
            ws=settings.WEBSOCKET_CLASS,
            ws_max_size=64 * 1024,
            ws_per_message_deflate=False,
            lifespan="on",
            log_config=None,
            access_log=settings.DEBUG,
            server_header=False,
            proxy_headers=bool(settings.TRUSTED_PROXIES),
            forwarded_allow_ips=settings.TRUSTED_PROXIES or None,
            timeout_graceful_shutdown=3,
            backlog=4096,
        )
        sockets = None
        if options["fd"] is not None:
            # Not uvicorn's own --fd: that takes every socket for a unix socket.
            sockets = [socket.socket(fileno=options["fd"])]
        affinity = None
        if options["number"] is not None:
            affinity = Affinity(settings.DATA_DIR, options["number"], settings.WEB_PROCESSES)
        WebServer(config, options["ready_fd"], affinity).run(sockets=sockets)
