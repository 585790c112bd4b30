"""A player inside the site: house bots and the text protocols sit in a match through this."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from types import TracebackType
from typing import Any, Self

import msgspec

from games.engine.game import Event, View, Viewer
from games.live.broadcast import Batch
from games.live.entry import DROP, LEAVE
from games.live.host import Host, host
from games.live.match_state import MatchEvent
from games.live.replica import Replica
from games.live.row import Result
from games.live.seats import Connection


class SeatClient:
    """One seat (or, with None, a spectator) of one match, with the same rights and the same view
    as a socket has.

        async with await SeatClient.open(match_id, 0) as seat:
            async for event in seat:
                await seat.act({"type": "claim", "cell": 3})

    Iteration ends with the match (the `over` event is the last), when another connection takes the
    seat, or at `close`.
    """

    def __init__(self, here: Host, replica: Replica, viewer: Viewer) -> None:
        self.replica = replica
        self.viewer = viewer
        self.taken_over = False
        self._host = here
        self._events: asyncio.Queue[tuple[int, MatchEvent] | None] = asyncio.Queue()
        self._connection: Connection | None = None
        self._serial = count(1)
        self._closed = False
        self.number, self.view = replica.attach(viewer, self)
        if viewer is not None:
            self._connection = replica.seats.take(viewer, self._lost)

    @classmethod
    async def open(cls, match_id: str, seat: Viewer) -> Self:
        """Raises NoSuchMatch, UnknownRules."""
        here = host()
        return cls(here, await here.join(match_id), seat)

    # -- as a member of the match ----------------------------------------------------------------

    def receive(self, batch: Batch) -> None:
        for numbered in batch.numbered:
            self._events.put_nowait(numbered)

    def match_gone(self) -> None:
        self._end()

    def must_resync(self, number: int, view: View) -> None:
        while not self._events.empty():
            self._events.get_nowait()
        self.number, self.view = number, view

    def spectators_changed(self, number: int) -> None:
        pass

    def match_archived(self) -> None:
        pass

    def _lost(self) -> None:
        self.taken_over = True
        self._connection = None
        self._end()

    def _end(self) -> None:
        self._events.put_nowait(None)

    # -- for the player --------------------------------------------------------------------------

    async def next(self) -> Event | None:
        """The next event, folded into `view`; None at the end."""
        message = await self._events.get()
        if message is None:
            self._end()  # for another call
            return None
        self.number, found = message
        event = found.event
        self.view = self.replica.state.game.fold(self.view, event)
        if event["type"] == "over":
            self._end()
        return event

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self.next()) is not None:
            yield event

    def now(self) -> int:
        """Match time, in milliseconds."""
        origin: int = self.view["origin"]
        return self.replica.now() - origin

    async def act(self, action: Any, cid: str | None = None) -> Result:
        """Submit an action; returns when it is stored or refused."""
        assert self.viewer is not None, "a spectator can't act"
        raw = action if isinstance(action, bytes) else msgspec.json.encode(action)
        if cid is None:
            # Unique over reconnections: the connection's name is.
            name = "" if self._connection is None else self._connection.name
            cid = f"{name.rpartition('-')[2].replace(':', '-')}-{next(self._serial)}"
        return await self.replica.act(self.viewer, cid, raw)

    def close(self, leave: bool = False, *, by_outage: bool = False) -> None:
        """Give the seat up; `leave`: on purpose, with the shorter grace. `by_outage`: the site lost
        the player's connection, which is held against nobody."""
        if self._closed:
            return
        self._closed = True
        if self._connection is not None:
            kind = LEAVE if leave else DROP
            self.replica.seats.give_up(self._connection, kind, by_outage=by_outage)
        self.replica.detach(self.viewer, self)
        self._host.leave(self.replica)
        self._end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
