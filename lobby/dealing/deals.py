"""Boards that are made before the match: the one place that decides which match gets one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lobby.dealing import pool
from lobby.dealing.dealer import NoBoard, Spec
from lobby.dealing.desk import Busy
from lobby.errors import LobbyError


async def deal_for(mode: str, options: dict[str, Any], visitor: str = "") -> bytes:
    """The `deal` of a new match; empty: the mode makes its board from the seed. Raises LobbyError
    `no_guess_failed` or `dealing_busy`, and never deals a board that needs a guess instead."""
    spec = pool.spec_for(mode, options)
    if spec is None:
        return b""
    try:
        (deal,) = await pool.take(spec, visitor=visitor)
    except NoBoard as error:
        raise _refusal(error) from error
    return deal


async def deals_for(games: Sequence[tuple[str, dict[str, Any]]]) -> list[bytes | None]:
    """The same for many matches, mode and options of each, with one look at the store for each
    kind of board. None: there is no board for this one."""
    kinds: dict[Spec, list[int]] = {}
    found: list[bytes | None] = [b""] * len(games)
    for number, (mode, options) in enumerate(games):
        spec = pool.spec_for(mode, options)
        if spec is not None:
            kinds.setdefault(spec, []).append(number)
    for spec, numbers in kinds.items():
        try:
            deals: Sequence[bytes | None] = await pool.take(spec, len(numbers))
        except NoBoard:
            deals = [None] * len(numbers)
        for number, deal in zip(numbers, deals, strict=True):
            found[number] = deal
    return found


async def check(mode: str, options: dict[str, Any], visitor: str = "") -> None:
    """Raises LobbyError when no board can be made for a match that is only agreed upon yet."""
    spec = pool.spec_for(mode, options)
    if spec is not None:
        try:
            await pool.reserve(spec, visitor)
        except NoBoard as error:
            raise _refusal(error) from error


def _refusal(error: NoBoard) -> LobbyError:
    if isinstance(error, Busy):
        return LobbyError("dealing_busy")
    return LobbyError("no_guess_failed", reason=error.code)
