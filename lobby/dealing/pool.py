"""Boards without guessing, made before they are needed: a job of the worker keeps them in Redis.

Each kind of board has a list, `deals:<spec>`. A board is taken by a pop, so nobody gets one twice.
Several workers may fill the same list: it then holds a few more than it should.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any, Final

from games.engine import registry
from games.redis import key, redis
from lobby import presence
from lobby.dealing.dealer import Dealer, NoBoard, Spec
from lobby.dealing.desk import SLOW, desk
from lobby.store import now_ms

KEPT: Final = 40
"""Boards of each kind in store, at least."""
MOST_KEPT: Final = 2_000
BATCH: Final = 10
EVERY: Final = 2.0
SPARE_SECONDS: Final = 3600
"""Seconds that a board of an unusual size waits for its match."""

logger = logging.getLogger(__name__)


def spec_for(mode: str, options: dict[str, Any]) -> Spec | None:
    """The board that a match with these options needs; None when its seed makes it."""
    board = registry.mode(mode).board if mode in registry.REGISTRY else None
    size = board(registry.game(mode).parse_options(options)) if board is not None else None
    return None if size is None else Spec(*size)


def usual() -> list[Spec]:
    """The kinds of boards in store: what is played without choosing a size. The largest first: it
    takes longest to make."""
    return sorted(_specs(solo=True) | _specs(solo=False), reverse=True)


def _specs(solo: bool) -> set[Spec]:
    found = {
        spec_for(mode.name, dict(options))
        for mode in registry.modes()
        if mode.solo == solo
        for options in ({}, *(preset.options for preset in mode.presets))
    }
    return {spec for spec in found if spec}


async def take(spec: Spec, number: int = 1, visitor: str = "") -> list[bytes]:
    """Boards that nobody else gets, from the store as far as it goes; raises NoBoard."""
    stored: list[bytes] = await redis().lpop(_key(spec), number) or []
    if len(stored) == number:
        return stored
    try:
        missing = (desk().make(spec, visitor) for _ in range(number - len(stored)))
        return stored + await asyncio.gather(*missing)
    except NoBoard:
        for deal in stored:
            await put(spec, deal)
        raise


async def reserve(spec: Spec, visitor: str) -> None:
    """See that a board of this kind can be had, and keep it for a while; raises NoBoard."""
    if spec not in usual() and not await redis().exists(_key(spec)):
        await put(spec, await desk().make(spec, visitor), expires=SPARE_SECONDS)


async def put(spec: Spec, deal: bytes, expires: int | None = None) -> None:
    await redis().rpush(_key(spec), deal)
    if expires is not None:
        await redis().expire(_key(spec), expires)


async def stored(spec: Spec) -> int:
    return int(await redis().llen(_key(spec)))


async def wanted() -> dict[Spec, int]:
    """The number of boards of each usual kind to keep. Of those for several players, one for every
    two players who are here, because they may all queue at once."""
    here = sum((await presence.counts(await now_ms())).values())
    together = _specs(solo=False)
    return {
        spec: max(KEPT, min(MOST_KEPT, here // 2)) if spec in together else KEPT for spec in usual()
    }


async def fill(spec: Spec, dealer: Dealer, stop: asyncio.Event, kept: int) -> None:
    """Make boards until enough are there."""
    while not stop.is_set() and (missing := kept - await stored(spec)) > 0:
        for _ in range(min(BATCH, missing)):
            await put(spec, await dealer.make(spec, SLOW))
            if stop.is_set():
                return


async def run(stop: asyncio.Event) -> None:
    """The worker's job. Its dealer stays, and is idle while the store is full."""
    dealer = Dealer()
    try:
        while not stop.is_set():
            numbers = await wanted()
            # First a few of each kind, then as many as a crowd may want.
            for spec, kept in [*((spec, KEPT) for spec in numbers), *numbers.items()]:
                try:
                    await fill(spec, dealer, stop, kept)
                except NoBoard as error:
                    logger.warning("no board of %s for the store: %s", spec, error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), EVERY)
    finally:
        await dealer.stop()


def _key(spec: Spec) -> str:
    return key(f"deals:{spec}")
