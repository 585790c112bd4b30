"""uvicorn's server, which tells when it is ready and leaves without dropping anybody.

SIGTERM ends this process: its players are sent to the others. SIGINT says that the whole site ends,
so that there is nowhere to send them; `manage.py up` sends both then.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from functools import partial
from typing import Any

import uvicorn

from games.live.host import host
from minesite.affinity import Affinity, AffinityProtocol
from minesite.http_protocol import LimitedProtocol

SWITCH_INTERVAL = 0.001
"""Seconds that a move waits for the interpreter while a thread makes a page; Python's own is five
times as long, several times per move."""


class WebServer(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        ready_fd: int | None = None,
        affinity: Affinity | None = None,
    ) -> None:
        """One byte is written to `ready_fd` once connections are accepted. With `affinity`, match
        sockets move between this process and its siblings."""
        super().__init__(config)
        self._ready_fd = ready_fd
        self._affinity = affinity
        config.http = LimitedProtocol
        if affinity is not None:
            # Typed as a class; uvicorn only calls it.
            config.http = partial(AffinityProtocol, affinity)  # type: ignore[assignment]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        sys.setswitchinterval(SWITCH_INTERVAL)
        await super().startup(sockets)
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._site_ends)
        if self._affinity is not None:
            self._affinity.open(self._serve_handed_over)
        if self._ready_fd is not None:
            os.write(self._ready_fd, b"1")
            os.close(self._ready_fd)

    async def _serve_handed_over(self, connection: socket.socket, request: bytes) -> None:
        make: Any = self.config.http_protocol_class
        protocol: asyncio.Protocol = make(
            handed_over=request,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):  # the client is gone already
            await loop.connect_accepted_socket(lambda: protocol, connection)

    def _site_ends(self) -> None:
        host().drain.site_stops()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, send the sockets elsewhere, then end as uvicorn does."""
        for server in self.servers:
            server.close()
        if self._affinity is not None:
            self._affinity.close()
        await host().move_sockets()
        await super().shutdown(sockets)
