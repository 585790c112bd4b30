"""uvicorn's server, which tells when it is ready and leaves without dropping anybody.

SIGTERM ends this process: its players are sent to the others. SIGINT says that the whole site ends,
so that there is nowhere to send them; `manage.py up` sends both then.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket

import uvicorn

from games.live.host import host


class WebServer(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready_fd: int | None = None) -> None:
        """One byte is written to `ready_fd` once connections are accepted."""
        super().__init__(config)
        self._ready_fd = ready_fd

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._site_ends)
        if self._ready_fd is not None:
            os.write(self._ready_fd, b"1")
            os.close(self._ready_fd)

    def _site_ends(self) -> None:
        host().departure.nowhere_to_go()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept nothing more, send the sockets elsewhere, then end as uvicorn does."""
        for server in self.servers:
            server.close()
        await host().depart()
        await super().shutdown(sockets)
