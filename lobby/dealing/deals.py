"""Boards that are made before the match: the one place that decides which match gets one."""

from __future__ import annotations

from typing import Any

from lobby.dealing import pool
from lobby.dealing.dealer import NoBoard
from lobby.errors import LobbyError


async def deal_for(mode: str, options: dict[str, Any]) -> bytes:
    """The `deal` of a new match; empty: the mode makes its board from the seed. Raises LobbyError
    `no_guess_failed`, and never deals a board that needs a guess instead."""
    spec = pool.spec_for(mode, options)
    if spec is None:
        return b""
    try:
        return await pool.take(spec)
    except NoBoard as error:
        raise _refusal(error) from error


async def check(mode: str, options: dict[str, Any]) -> None:
    """Raises LobbyError when no board can be made for a match that is only agreed upon yet."""
    spec = pool.spec_for(mode, options)
    if spec is not None:
        try:
            await pool.reserve(spec)
        except NoBoard as error:
            raise _refusal(error) from error


def _refusal(error: NoBoard) -> LobbyError:
    return LobbyError("no_guess_failed", reason=error.code)
