"""Boards without guessing, made before they are needed: a job of the worker keeps them in Redis.

Each kind of board has a list, `deals:<spec>`. A board is taken by a pop, so nobody gets one twice.
Several workers may fill the same list: it then holds a few more than it should.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final
from weakref import WeakKeyDictionary

from games.engine import registry
from games.live.redis import key, redis
from lobby.dealing.dealer import NoBoard, Spec, deals

KEPT: Final = 40
"""Boards of each kind in store."""
BATCH: Final = 10
EVERY: Final = 2.0
PATIENCE: Final = 8.0
"""A board that is not found in so many seconds is given up."""
SPARE_SECONDS: Final = 3600
"""How long a board of an unusual size waits for its match."""

logger = logging.getLogger(__name__)
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


def spec_for(mode: str, options: dict[str, Any]) -> Spec | None:
    """What a match with these options needs; None when its board comes from its seed."""
    board = registry.mode(mode).board if mode in registry.REGISTRY else None
    size = board(registry.game(mode).parse_options(options)) if board is not None else None
    return None if size is None else Spec(*size)


def usual() -> list[Spec]:
    """The kinds of boards in store: what is played without choosing a size. The largest first: it
    takes longest to make."""
    found = {
        spec_for(mode.name, dict(options))
        for mode in registry.modes()
        for options in ({}, *(preset.options for preset in mode.presets))
    }
    return sorted((spec for spec in found if spec), reverse=True)


async def take(spec: Spec) -> bytes:
    """A board that nobody else gets; raises NoBoard."""
    stored = await redis().lpop(_key(spec))
    return stored if isinstance(stored, bytes) else await make(spec)


async def reserve(spec: Spec) -> None:
    """See that a board of this kind can be had, and keep it for a while; raises NoBoard."""
    if spec not in usual() and not await redis().exists(_key(spec)):
        await put(spec, await make(spec), expires=SPARE_SECONDS)


async def make(spec: Spec) -> bytes:
    """A new board, made now; raises NoBoard. One at a time for each event loop."""
    turn = _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with turn, contextlib.aclosing(deals(spec, 1, PATIENCE)) as made:
        return await anext(made)


async def put(spec: Spec, deal: bytes, expires: int | None = None) -> None:
    await redis().rpush(_key(spec), deal)
    if expires is not None:
        await redis().expire(_key(spec), expires)


async def stored(spec: Spec) -> int:
    return int(await redis().llen(_key(spec)))


async def fill(spec: Spec, stop: asyncio.Event, kept: int) -> None:
    """Make boards until enough are there."""
    while not stop.is_set() and (missing := kept - await stored(spec)) > 0:
        async with contextlib.aclosing(deals(spec, min(BATCH, missing), PATIENCE)) as made:
            async for deal in made:
                await put(spec, deal)
                if stop.is_set():
                    return


async def run(stop: asyncio.Event) -> None:
    while not stop.is_set():
        for spec in usual():
            try:
                await fill(spec, stop, KEPT)
            except NoBoard as error:
                logger.warning("no board of %s for the store: %s", spec, error)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), EVERY)


def _key(spec: Spec) -> str:
    return key(f"deals:{spec}")
