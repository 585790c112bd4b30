"""A scripted player: reconnects whatever happens, and keeps a record of all it was promised."""

from __future__ import annotations

import asyncio
import json
import random
from hashlib import sha256
from typing import Any, TextIO

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from games.engine import registry

IN_FLIGHT = 3
SILENCE = 2.5
"""Seconds without a word from the server after which the player connects elsewhere."""


def view_hash(view: dict[str, Any]) -> str:
    return sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()


class Player:
    def __init__(
        self, ports: list[int], user: tuple[int, str, str], chance: random.Random, record: TextIO
    ) -> None:
        self.id, self.name, self._session = user
        self._ports = ports
        self._chance = chance
        self._record = record
        self._game = registry.game("claim")
        self._socket: Any = None
        self.pace = (0.05, 0.3)
        """Seconds between two moves."""
        self.acked = 0
        self.silence = SILENCE
        self.open_within = 2.0

    def cut(self) -> None:
        """The connection breaks without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def play(self, match_id: str, seat: int) -> None:
        """Play one match to its end, over as many connections as it takes."""
        self._match, self._seat = match_id, seat
        self._view: dict[str, Any] | None = None
        self._seen = asyncio.Event()
        self._number: int | None = None
        self._unanswered: dict[str, dict[str, Any]] = {}
        self._serial = 0
        self._over = False
        self._ready = False
        while not self._over:
            try:
                await self._one_connection()
            except (OSError, WebSocketException, TimeoutError):
                pass
            finally:
                self._socket = None
            if not self._over:
                await asyncio.sleep(self._chance.uniform(0.05, 0.3))
        assert self._view is not None
        self._note("final", hash=view_hash(self._view), n=self._number)

    def _note(self, what: str, **facts: Any) -> None:
        facts = {"what": what, "match": self._match, "seat": self._seat, **facts}
        self._record.write(json.dumps(facts) + "\n")
        self._record.flush()

    async def _one_connection(self) -> None:
        port = self._chance.choice(self._ports)
        async with connect(
            f"ws://127.0.0.1:{port}/ws/match/{self._match}/",
            additional_headers={"Cookie": f"sessionid={self._session}"},
            open_timeout=self.open_within,
            ping_interval=None,
            close_timeout=0.2,
            compression=None,
        ) as socket:
            self._socket = socket
            hello = {"type": "hello", "version": 1, "last": self._number}
            await socket.send(json.dumps(hello))
            acting = asyncio.create_task(self._act_on(socket))
            try:
                while not self._over:
                    frame = await asyncio.wait_for(socket.recv(), self.silence)
                    for message in json.loads(frame):
                        self._hear(message)
            finally:
                acting.cancel()

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "view":
            self._view, self._number = message["view"], message["n"]
        elif kind == "event":
            assert self._view is not None
            assert self._number is not None
            if message["n"] != self._number + 1:
                self._note("gap", expected=self._number + 1, got=message["n"])
            self._number = message["n"]
            self._view = self._game.fold(self._view, message["event"])
        elif kind in ("ack", "refused"):
            self._note(kind, id=message["id"], code=message.get("code", ""))
            self._unanswered.pop(message["id"], None)
            self.acked += kind == "ack"
        elif kind in ("error", "taken_over"):
            self._note(kind, code=message.get("code", ""))
        if self._view is not None:
            self._seen.set()
            self._over = self._view["phase"] == "over"

    async def _act_on(self, socket: Any) -> None:
        """Send again what was not answered, in order, then new moves."""
        await self._seen.wait()
        for cid, action in list(self._unanswered.items()):
            await self._send(socket, cid, action, again=True)
        while self._view is not None:
            phase = self._view["phase"]
            if phase == "setup" and not self._ready:
                self._ready = True
                await self._new(socket, {"type": "ready"})
            elif phase == "live" and len(self._unanswered) < IN_FLIGHT:
                cell = self._chance.randrange(900)
                await self._new(socket, {"type": "claim", "cell": cell})
            else:
                await socket.send('{"type":"ping","at":1}')
            await asyncio.sleep(self._chance.uniform(*self.pace))

    async def _new(self, socket: Any, action: dict[str, Any]) -> None:
        self._serial += 1
        cid = f"{self._seat}-{self._serial}"
        self._unanswered[cid] = action
        await self._send(socket, cid, action)

    async def _send(self, socket: Any, cid: str, action: Any, again: bool = False) -> None:
        self._note("send", id=cid, again=again)
        await socket.send(json.dumps({"type": "act", "id": cid, "action": action}))
