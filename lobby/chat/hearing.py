"""The rooms that one socket listens to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from lobby.chat import rooms, speaking
from lobby.errors import LobbyError
from lobby.hub import Notice, hub
from lobby.players import Player
from lobby.store import now_ms

MOST: Final = 4
"""Rooms of one socket: a match's two, a tournament's, and one more."""

Message = dict[str, Any]


class Hearing:
    """Passes on what is said in its rooms, without those whom the reader does not read, and later
    if the room says so."""

    def __init__(self, player: Player, say: Callable[[Message], None]) -> None:
        self._player = player
        self._say = say
        self._hidden: frozenset[str] = frozenset()
        self._delays: dict[str, int] = {}
        self._later: set[asyncio.TimerHandle] = set()
        self._is_closed = False

    async def open(self, room: str) -> None:
        """Answers with what was said lately; what is said from now on follows. Again: the same, by
        what holds now. Raises LobbyError."""
        assert self._player.user_id is not None
        rights = await rooms.rights(self._player, room)
        if room not in self._delays and len(self._delays) >= MOST:
            raise LobbyError("too_many_rooms")
        await self.look_again()
        if self._is_closed:  # meanwhile
            return
        if room not in self._delays:
            hub().add(rooms.group_of(room), self._hear)
        self._delays[room] = rights.delay_ms
        now = await now_ms()
        muted = await speaking.muted_by(self._player.user_id)
        said = await speaking.history(room)
        if self._is_closed:
            return
        lines = [line for line in said if self._reads(line)]
        late = [line for line in lines if self._waits(line, now) > 0]
        self._say(
            {
                "type": "chat_room",
                "room": room,
                "phrases": rights.phrases,
                "text": rights.text,
                "why": rights.why,
                "lines": [line for line in lines if line not in late],
                "muted": muted,
            }
        )
        for line in late:
            self._say_later(line, self._waits(line, now))

    async def look_again(self) -> None:
        """Whom the reader does not read may have changed."""
        assert self._player.user_id is not None
        self._hidden = await speaking.hidden_from(self._player.user_id)

    def close(self, room: str) -> bool:
        """False: the room was not open."""
        if self._delays.pop(room, None) is None:
            return False
        hub().remove(rooms.group_of(room), self._hear)
        return True

    def close_all(self) -> None:
        """For good: what is under way opens nothing any more."""
        self._is_closed = True
        for room in list(self._delays):
            self.close(room)
        for timer in self._later:
            timer.cancel()
        self._later.clear()

    def _hear(self, notice: Notice) -> None:
        line = notice.message
        if line["room"] not in self._delays or not self._reads(line):
            return
        is_own = line["by"] == self._player.name
        delay = 0 if is_own else self._delays[line["room"]]
        if delay:
            self._say_later(line, delay)
        else:
            self._say(line)

    def _reads(self, line: Message) -> bool:
        return line["by"] not in self._hidden

    def _waits(self, line: Message, now: int) -> int:
        """Milliseconds until this reader may see the line."""
        if line["by"] == self._player.name:
            return 0
        return int(line["at"]) + self._delays[line["room"]] - now

    def _say_later(self, line: Message, delay_ms: int) -> None:
        def due() -> None:
            self._later.discard(timer)
            if line["room"] in self._delays and self._reads(line):
                self._say(line)

        timer = asyncio.get_running_loop().call_later(delay_ms / 1000, due)
        self._later.add(timer)
