"""Guests who queue, play whole matches and play again, over as many connections as it takes."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import connect

from bench.site_load.client import FAILURES, Channel, Client
from bench.site_load.figures import Figures
from games.bots.decision import bot_for
from games.bots.roster import ROSTER
from games.engine import registry

SILENCE = 4.0
"""Seconds without a word from the server after which a player connects again."""
MOST_UNDER_WAY = 3
SURRENDER = {"type": "surrender"}


class SecureClient(Client):
    """A client of a site with a certificate of its own."""

    def __init__(self, url: str, trusting: ssl.SSLContext) -> None:
        http = httpx.AsyncClient(verify=trusting, timeout=30, trust_env=False)
        super().__init__(url, http, Figures(time.monotonic()))
        self._trusting = trusting

    async def text(self, path: str) -> str:
        answer = await self._http.get(self.url + path, headers={"Cookie": self._cookie()})
        assert answer.status_code == 200, f"{path}: {answer.status_code}"
        return answer.text

    @asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[Channel]:
        connection = await connect(
            f"ws{self.url.removeprefix('http')}{path}",
            additional_headers={"Cookie": self._cookie()},
            origin=self.url,
            ssl=self._trusting,
            open_timeout=5,
            close_timeout=0.2,
            ping_interval=None,
            compression=None,
            proxy=None,
        )
        try:
            yield Channel(connection)
        finally:
            await connection.close()
            connection.transport.abort()  # the server may be dead and never end its side

    async def close(self) -> None:
        await self._http.aclose()


class Person:
    def __init__(self, client: SecureClient, random: Random) -> None:
        self.client = client
        self.random = random
        self.played: list[str] = []
        self.acknowledged: dict[str, list[tuple[str, float]]] = defaultdict(list)
        """By match: ids of commands, and when each was acknowledged."""
        self.errors: list[str] = []
        self.serial = count(1)

    async def stay(self) -> None:
        """Keep a page open, as a browser does; to be cancelled."""
        while True:
            try:
                async with self.client.socket("/ws/lobby/") as lobby:
                    while True:
                        await lobby.next()
            except FAILURES:
                await asyncio.sleep(0.3)

    async def find_match(self, mode: str) -> str:
        """Queue until there is a match."""
        while True:
            try:
                async with self.client.socket("/ws/lobby/") as lobby:
                    await lobby.hear("hello", seconds=10)
                    await lobby.say(type="queue", wishes=[{"mode": mode}])
                    told = await lobby.hear("matched", "return", "error", seconds=20)
                if told["type"] != "error" or told["code"] == "already_in_match":
                    return str(told["match"])
                self.errors.append(told["code"])
            except FAILURES:
                pass
            await asyncio.sleep(0.3)

    async def play_again(self, match: str) -> str:
        """The match that follows; every player has to call this."""
        while True:
            try:
                async with self.client.socket("/ws/lobby/") as lobby:
                    await lobby.hear("hello", seconds=10)
                    await lobby.say(type="again", match=match, yes=True)
                    while True:
                        told = await lobby.hear("again", "matched", "return", "error", seconds=10)
                        if told["type"] == "error":
                            self.errors.append(told["code"])
                            break
                        if told["type"] != "again" and told["match"] != match:
                            return str(told["match"])
                        if told["type"] == "again" and told["match"] == match:
                            assert told["ended"] is None, told
                            if told["new"]:
                                return str(told["new"])
            except FAILURES:
                pass
            await asyncio.sleep(0.3)

    async def play(self, match: str, surrender: asyncio.Event) -> None:
        """To the end: by the rules, or by giving up once `surrender` is set."""
        self.played.append(match)
        playing = Playing(self, match, surrender)
        while not playing.is_over:
            try:
                async with self.client.socket(f"/ws/match/{match}/") as socket:
                    await playing.use(socket)
            except FAILURES:
                await asyncio.sleep(self.random.uniform(0.1, 0.4))


class Playing:
    """One player's way through one match."""

    def __init__(self, person: Person, match: str, surrender: asyncio.Event) -> None:
        self._person, self._match, self._surrender = person, match, surrender
        self._view: dict[str, Any] = {}
        self._number: int | None = None
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._given_up = False
        self._game: Any = None
        self._bot: Any = None

    @property
    def is_over(self) -> bool:
        return self._view.get("phase") == "over"

    async def use(self, socket: Channel) -> None:
        """Until the match is over or the connection breaks; sends again what has no answer."""
        await socket.say(type="hello", version=1, last=self._number)
        for cid, action in self._unanswered.items():
            await socket.say(type="act", id=cid, action=action)
        heard, ready_at = time.monotonic(), 0.0
        while not self.is_over:
            now = time.monotonic()
            if now >= ready_at and self._view and len(self._unanswered) < MOST_UNDER_WAY:
                ready_at = now + await self._move(socket)
            try:
                self._take(await socket.next(seconds=max(0.02, min(0.5, ready_at - now))))
                heard = now
            except TimeoutError:
                if now - heard > SILENCE:
                    raise
                if now - heard > 1:
                    await socket.say(type="ping", at=1)

    async def _move(self, socket: Channel) -> float:
        """Returns the seconds until the next one."""
        is_live = self._view["phase"] == "live"  # giving up before that aborts the match
        if self._surrender.is_set() and is_live and not self._given_up:
            self._given_up = True
            await self._act(socket, SURRENDER)
            return 1.0
        now = int(time.time() * 1000) - int(self._view["origin"])
        decision = self._bot.decide(self._view, now)
        if decision is None:
            return 0.2
        await self._act(socket, decision.action)
        return float(min(0.5, decision.after))

    async def _act(self, socket: Channel, action: dict[str, Any]) -> None:
        cid = f"p{next(self._person.serial)}"
        self._unanswered[cid] = action
        await socket.say(type="act", id=cid, action=action)

    def _take(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "welcome" and self._game is None:
            self._game = registry.game(message["mode"])
            self._bot = bot_for(message["mode"], ROSTER[-1], self._person.random)
        elif kind == "view":
            self._view, self._number = message["view"], message["n"]
        elif kind == "event":
            self._view = self._game.fold(self._view, message["event"])
            self._number = message["n"]
        elif kind in ("ack", "refused"):
            action = self._unanswered.pop(message["id"], None)
            if action is not None and kind == "ack":
                moment = message["id"], time.monotonic()
                self._person.acknowledged[self._match].append(moment)
            elif action == SURRENDER:
                self._given_up = False  # too early
        elif kind == "error":
            self._person.errors.append(json.dumps(message))
