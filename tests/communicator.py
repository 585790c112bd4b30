"""Channels' client for tests, with the patience that a busy machine needs: what never comes fails
all the same."""

from __future__ import annotations

import asyncio
from typing import Any

from channels.testing import WebsocketCommunicator

PATIENCE = 30.0


class PatientCommunicator(WebsocketCommunicator):
    def __init__(self, application: Any, *given: Any, **options: Any) -> None:
        self._is_reading = asyncio.Event()
        self._is_reading.set()

        async def run(scope: Any, receive: Any, send: Any) -> None:
            async def send_when_read(message: Any) -> None:
                await self._is_reading.wait()
                await send(message)

            await application(scope, receive, send_when_read)

        super().__init__(run, *given, **options)

    def stop_reading(self) -> None:
        """From now on the server waits for this client."""
        self._is_reading.clear()

    async def connect(self, timeout: float = PATIENCE) -> Any:
        return await super().connect(max(timeout, PATIENCE))

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(max(timeout, PATIENCE))

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE) -> None:
        await super().disconnect(code, max(timeout, PATIENCE))

    async def wait(self, timeout: float = PATIENCE) -> None:
        await super().wait(max(timeout, PATIENCE))
