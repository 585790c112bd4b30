"""Simulated people who use the site until the time is up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any, Final

from bench.site_load.client import FAILURES, Channel, Client
from games.bots.decision import bot_for
from games.bots.roster import ROSTER
from games.engine import registry

PAGES: Final = ("/", "/watch/", "/learn/", "/daily/")
PAGE_SECONDS: Final = (10.0, 120.0)
"""Seconds that a visitor looks at a page."""
PACE: Final = (1.0, 4.0)
"""Seconds between two moves of a player. Deciding takes time of this process, and of the machine
that the site runs on, too."""
MATCH_SECONDS: Final = 40.0
"""A player who is still playing then gives up, so that matches end and are played again."""
UNPLAYED: Final = ("last_one_left", "nobody_left")
"""Reasons of ends that players who give up bring about."""
MOST_UNDER_WAY: Final = 3
"""Moves that a player has sent and that aren't answered yet."""
REMATCH: Final = 0.5
WATCH_SECONDS: Final = (5.0, 30.0)


async def until_the_end(
    live: Callable[[], Awaitable[None]], client: Client, end: float, random: Random
) -> None:
    """Do it again and again, whatever goes wrong."""
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(end - time.monotonic()):
                await live()
        except FAILURES as error:
            if time.monotonic() < end:
                client.figures.errors[type(error).__name__] += 1
                await asyncio.sleep(random.uniform(0.5, 2))


class Visitor:
    """Looks at pages, each with the lobby's socket that a browser has."""

    def __init__(self, client: Client, random: Random) -> None:
        self.client, self.random = client, random
        self.modes = [f"/play/{mode.name}/" for mode in registry.modes()]

    async def live(self) -> None:
        await self.client.page(self.random.choice([*PAGES, *self.modes]))
        begin = time.monotonic()
        async with self.client.socket("/ws/lobby/?anonymous=1") as lobby:
            await lobby.hear("hello")
            now = time.monotonic()
            self.client.figures.took("lobby", now, 1000 * (now - begin))
            with suppress(TimeoutError):
                await lobby.hear("nothing", seconds=self.random.uniform(*PAGE_SECONDS))


class Spectator(Visitor):
    """Watches live matches."""

    async def live(self) -> None:
        async with self.client.socket("/ws/lobby/?anonymous=1&counts=0") as lobby:
            await lobby.say(type="watch", on=True)
            live = (await lobby.hear("matches"))["live"]
        if not live:
            await asyncio.sleep(self.random.uniform(*WATCH_SECONDS))
            return
        await self.client.page(self.random.choice(live)["url"])
        match = self.random.choice(live)["match"]
        async with self.client.socket(f"/ws/match/{match}/") as socket:
            await socket.say(type="hello", version=1)
            await socket.hear("view", "error")
            self.client.figures.counts["matches watched"] += 1
            with suppress(TimeoutError):
                await socket.hear("error", seconds=self.random.uniform(*WATCH_SECONDS))


class Player:
    """Queues, plays whole matches, and sometimes plays again."""

    def __init__(self, client: Client, random: Random) -> None:
        self.client, self.random = client, random
        self._serial = count(1)

    async def live(self) -> None:
        await self.client.page("/")
        async with self.client.socket("/ws/lobby/") as lobby:
            await lobby.hear("hello", seconds=30)
            mode = self.random.choice(registry.modes())
            began = time.monotonic()
            if mode.solo:
                await lobby.say(type="solo", mode=mode.name)
            else:
                await lobby.say(type="queue", wishes=[{"mode": mode.name}])
            while True:
                told = await lobby.hear("matched", "bot_offer", "error", "return", seconds=120)
                if told["type"] == "bot_offer":
                    await lobby.say(type="bot")
                elif told["type"] == "error":
                    self.client.figures.errors[told["code"]] += 1
                    await asyncio.sleep(1)
                    return
                else:
                    break
            now = time.monotonic()
            self.client.figures.took("wait", now, 1000 * (now - began))
            match: str | None = told["match"]
            while match is not None:
                await self.client.page(f"/match/{match}/")
                await self._play(match)
                match = None if mode.solo else await self._again(lobby, match)

    async def _play(self, match: str) -> None:
        async with self.client.socket(f"/ws/match/{match}/") as socket:
            await socket.say(type="hello", version=1)
            welcome = await socket.hear("welcome", "error")
            if welcome["type"] == "error" or welcome["seat"] is None:
                return
            mode = welcome["mode"]
            seat = Seat(socket, mode, self.client, self.random, self._serial)
            how = await seat.play(time.monotonic() + MATCH_SECONDS)
            self.client.figures.counts[f"seats {how}: {mode}"] += 1

    async def _again(self, lobby: Channel, match: str) -> str | None:
        """The match that follows, if all want one."""
        yes = self.random.random() < REMATCH
        await lobby.say(type="again", match=match, yes=yes)
        with suppress(TimeoutError):
            while yes:  # notices of earlier matches may still wait in the socket
                told = await lobby.hear("again", "error", seconds=15)
                if told["type"] == "error":
                    self.client.figures.errors[f"again: {told['code']}"] += 1
                    return None
                if told["match"] == match and told["ended"]:
                    return None
                if told["match"] == match and told["new"]:
                    self.client.figures.counts["rematches, by seat"] += 1
                    new: str = told["new"]
                    return new
        return None


class Seat:
    """One player's way through one match."""

    def __init__(
        self,
        socket: Channel,
        mode: str,
        client: Client,
        random: Random,
        serial: count[int],
    ) -> None:
        self._socket, self._client, self._random, self._serial = socket, client, random, serial
        self._bot = bot_for(mode, random.choice(ROSTER[:3]), random)
        self._game = registry.game(mode)
        self._view: dict[str, Any] = {}
        self._sent: dict[str, float] = {}

    async def play(self, give_up_at: float) -> str:
        """To the end, at a person's pace. Returns how the seat came to it: "played" if by the
        rules of the game, "surrendered", or "left alone" by others who did."""
        move_at = 0.0
        surrendered = False
        while self._view.get("phase") != "over":
            now = time.monotonic()
            if now > give_up_at and self._view:
                await self._act({"type": "surrender"})
                give_up_at = now + 10
                surrendered = True
            if now >= move_at and self._view and self._bot and len(self._sent) < MOST_UNDER_WAY:
                decision = self._bot.decide(self._view, self._now())
                if decision is not None:
                    await self._act(decision.action)
                move_at = now + self._random.uniform(*PACE)
            with suppress(TimeoutError):
                self._take(await self._socket.next(seconds=max(0.01, move_at - now)))
        if surrendered:
            return "surrendered"
        outcome = self._view["outcome"]
        return "left alone" if outcome["aborted"] or outcome["reason"] in UNPLAYED else "played"

    async def _act(self, action: dict[str, Any]) -> None:
        cid = f"l{next(self._serial)}"
        self._sent[cid] = time.monotonic()
        await self._socket.say(type="act", id=cid, action=action)

    def _now(self) -> int:
        return int(time.time() * 1000) - int(self._view["origin"])

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "view":
            self._view = message["view"]
        elif kind == "event":
            self._view = self._game.fold(self._view, message["event"])
        elif kind in ("ack", "refused") and message["id"] in self._sent:
            now = time.monotonic()
            if kind == "ack":
                self._client.figures.took("move", now, 1000 * (now - self._sent[message["id"]]))
            del self._sent[message["id"]]
            self._client.figures.counts[f"moves {'acknowledged' if kind == 'ack' else kind}"] += 1
