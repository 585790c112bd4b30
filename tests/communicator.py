"""Channels' client for tests, with the patience that a busy machine needs: what never comes fails
all the same."""

from __future__ import annotations

from typing import Any

from channels.testing import WebsocketCommunicator

PATIENCE = 30.0


class PatientCommunicator(WebsocketCommunicator):
    async def connect(self, timeout: float = PATIENCE) -> Any:
        return await super().connect(max(timeout, PATIENCE))

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(max(timeout, PATIENCE))

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE) -> None:
        await super().disconnect(code, max(timeout, PATIENCE))

    async def wait(self, timeout: float = PATIENCE) -> None:
        await super().wait(max(timeout, PATIENCE))
