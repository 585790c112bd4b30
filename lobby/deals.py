"""Boards that are made before the match: the one place that decides which match gets one."""

from __future__ import annotations

from typing import Any


async def deal_for(mode: str, options: dict[str, Any]) -> bytes:
    """The `deal` of a new match; empty: the mode makes its board from the seed."""
    return b""
