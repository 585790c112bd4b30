"""House bots: real, labelled accounts of kind `house`, and the worker's job that plays for them.

New matches with house seats come on a list, which all workers wait for. A worker takes a seat with
a short claim in Redis; every few seconds it also looks for seats whose claim ran out because their
worker died. A bot that fails gives its seat up for a moment and is tried again; it never stalls a
match.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from functools import partial
from random import Random
from typing import Final

from accounts.models import User
from games.bots.decision import Bot, bot_for
from games.bots.roster import Character, character_of, nearest
from games.engine.registry import REGISTRY
from games.live.host import NoSuchMatch
from games.live.seat_client import SeatClient
from games.live.setup import UnknownRules
from games.redis import key, pop, redis
from lobby import creation, watch
from lobby.plans import Plan, Seated
from lobby.store import named

LOOK_EVERY: Final = 5.0
"""Seconds between two looks for seats that nobody plays for."""
WAIT: Final = 1.0
"""Seconds that one wait for a new match takes."""
CLAIM_MS: Final = 6_000
REFRESH: Final = 2.0
MOST: Final = 200
"""Seats that one worker plays for at once."""
REFUSED_PAUSE: Final = 0.5
LOOK_AGAIN: Final = 1.0
"""Seconds after which a bot with nothing to do is asked again: money comes in without news."""

logger = logging.getLogger(__name__)
_RELEASE: Final = """
if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end
"""


async def account_of(character: Character) -> User:
    """The account of a house bot, which is made when it is first needed."""
    user, _ = await User.objects.aget_or_create(
        username=character.name, defaults={"kind": User.Kind.HOUSE, "password": "!"}
    )
    return user


async def pick(seats: int, rating: float) -> list[Seated]:
    """So many different house bots, near this rating when there is a choice."""
    picked = []
    for character in nearest(rating, seats):
        user = await account_of(character)
        picked.append(Seated(identity="", user_id=user.pk, name=user.username, kind="house"))
    return picked


class House:
    """All seats that this worker plays for."""

    def __init__(self) -> None:
        self._me = secrets.token_hex(8)
        self.seats: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def look(self) -> None:
        """Take the seats of all running matches that are free."""
        for plan in await watch.running():
            await self.take(plan)

    async def take(self, plan: Plan) -> None:
        """Take the house seats of this match that are free."""
        if plan.mode not in REGISTRY or REGISTRY[plan.mode].bot is None:
            return
        for number, seat in enumerate(plan.seats):
            place = plan.match, number
            if seat.kind != "house" or place in self.seats or len(self.seats) >= MOST:
                continue
            if await self._claim(place):
                task = asyncio.create_task(self._play(plan.mode, place, seat.name))
                self.seats[place] = task
                task.add_done_callback(partial(self._forget, place))

    def _forget(self, place: tuple[str, int], _: asyncio.Task[None]) -> None:
        self.seats.pop(place, None)

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
        places = list(self.seats)
        for task in list(self.seats.values()):
            task.cancel()
        await asyncio.gather(*self.seats.values(), return_exceptions=True)
        for place in places:
            await redis().eval(_RELEASE, 1, _claim_key(place), self._me)


async def play(seat: SeatClient, bot: Bot) -> None:
    """Play to the end of the match. The pause before a move runs on while others move; what to do
    is decided from what is known when it ends."""
    loop = asyncio.get_running_loop()
    while True:
        decision = bot.decide(seat.view, seat.now())
        if decision is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN):
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
    house, loop = House(), asyncio.get_running_loop()
    next_look = loop.time()
    try:
        while not stop.is_set():
            if loop.time() >= next_look:
                next_look = loop.time() + LOOK_EVERY
                await house.look()
            new = await pop(named("bots"), WAIT)
            plan = None if new is None else await creation.plan_of(new.decode())
            if plan is not None:
                await house.take(plan)
    finally:
        await house.close()


def _claim_key(place: tuple[str, int]) -> str:
    return key(f"bot:{place[0]}:{place[1]}")
