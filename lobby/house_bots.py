"""House bots: real, labelled accounts of kind `house`, and the worker's job that plays for them.

Every round looks for running matches with house seats that nobody plays for, and takes them with a
short claim in Redis, so that several workers share the work and a dead worker's seats are taken
over. A bot that fails gives its seat up for a moment and is tried again; it never stalls a match.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from random import Random
from typing import Final

from accounts.models import User
from games.bots.decision import Bot, bot_for
from games.bots.roster import character_of, nearest
from games.engine.registry import REGISTRY
from games.live.host import NoSuchMatch
from games.live.redis import key, redis
from games.live.seat import SeatClient
from games.live.setup import UnknownRules
from lobby import watch
from lobby.plans import Seated

EVERY: Final = 0.4
CLAIM_MS: Final = 6_000
REFRESH: Final = 2.0
MOST: Final = 200
"""Seats that one worker plays for at once."""
REFUSED_PAUSE: Final = 0.5

logger = logging.getLogger(__name__)
_RELEASE: Final = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
"""


async def pick(seats: int, rating: float) -> list[Seated]:
    """So many different house bots, near this rating when there is a choice. They are made when
    they are first needed."""
    picked = []
    for character in nearest(rating, seats):
        user, _ = await User.objects.aget_or_create(
            username=character.name, defaults={"kind": User.Kind.HOUSE, "password": "!"}
        )
        picked.append(Seated(identity="", user_id=user.pk, name=user.username, kind="house"))
    return picked


class House:
    """All seats that this worker plays for."""

    def __init__(self) -> None:
        self._me = secrets.token_hex(8)
        self._seats: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def look(self) -> None:
        """One round: take the seats that are free."""
        for plan in await watch.running():
            if plan.mode not in REGISTRY or REGISTRY[plan.mode].bot is None:
                continue
            for number, seat in enumerate(plan.seats):
                place = plan.match, number
                if seat.kind != "house" or place in self._seats or len(self._seats) >= MOST:
                    continue
                if await self._claim(place):
                    task = asyncio.create_task(self._play(plan.mode, place, seat.name))
                    self._seats[place] = task
                    task.add_done_callback(lambda _, place=place: self._seats.pop(place, None))

    async def _claim(self, place: tuple[str, int]) -> bool:
        return bool(await redis().set(_claim_key(place), self._me, nx=True, px=CLAIM_MS))

    async def _play(self, mode: str, place: tuple[str, int], name: str) -> None:
        match_id, number = place
        random = Random(secrets.randbits(64))
        refreshing = asyncio.create_task(self._hold(place))
        try:
            bot = bot_for(mode, character_of(name), random)
            assert bot is not None
            async with await SeatClient.open(match_id, number) as seat:
                await play(seat, bot)
        except (NoSuchMatch, UnknownRules):
            pass
        except Exception:
            logger.exception("match %s: the bot in seat %d failed", match_id, number)
        finally:
            refreshing.cancel()
            # A failed or finished seat is not taken again at once.
            await redis().set(_claim_key(place), self._me, px=CLAIM_MS)

    async def _hold(self, place: tuple[str, int]) -> None:
        while True:
            await asyncio.sleep(REFRESH)
            await redis().set(_claim_key(place), self._me, px=CLAIM_MS)

    async def close(self) -> None:
        """Give all seats up, for another worker to take them at once."""
        places = list(self._seats)
        for task in list(self._seats.values()):
            task.cancel()
        await asyncio.gather(*self._seats.values(), return_exceptions=True)
        for place in places:
            await redis().eval(_RELEASE, 1, _claim_key(place), self._me)


async def play(seat: SeatClient, bot: Bot) -> None:
    """Play to the end of the match. The pause before a move runs on while others move; what to do
    is decided from what is known when it ends."""
    loop = asyncio.get_running_loop()
    while True:
        decision = bot.decide(seat.view, seat.now())
        if decision is None:
            if await seat.next() is None:
                return
            continue
        ready = loop.time() + decision.after
        changed = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(ready):
                while await seat.next() is not None:
                    changed = True
                return
        if changed:
            decision = bot.decide(seat.view, seat.now())
        if decision is not None and not (await seat.act(decision.action)).stored:
            await asyncio.sleep(REFUSED_PAUSE)


async def run(stop: asyncio.Event) -> None:
    house = House()
    try:
        while not stop.is_set():
            await house.look()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), EVERY)
    finally:
        await house.close()


def _claim_key(place: tuple[str, int]) -> str:
    return key(f"bot:{place[0]}:{place[1]}")
