"""A player inside the site: house bots and the text protocols sit in a match through this."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from types import TracebackType
from typing import Any, Self

import msgspec

from games.engine.game import Event, Viewer
from games.live.audience import Batch
from games.live.course import Said
from games.live.entry import DROP, LEAVE
from games.live.host import Host, host
from games.live.replica import Replica
from games.live.seating import Seating
from games.live.sent import Submitted


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
        self._events: asyncio.Queue[tuple[int, Said] | None] = asyncio.Queue()
        self._seating: Seating | None = None
        self._serial = count(1)
        self._closed = False
        replica.on_gone.append(self._end)
        self.number, self.view = replica.attach(viewer, self._hear)
        if viewer is not None:
            self._seating = replica.seatings.sit(viewer, self._lost)

    @classmethod
    async def open(cls, match_id: str, seat: Viewer) -> Self:
        """Raises NoSuchMatch, UnknownRules."""
        here = host()
        return cls(here, await here.join(match_id), seat)

    def _hear(self, batch: Batch) -> None:
        for message in batch.messages:
            self._events.put_nowait(message)

    def _lost(self) -> None:
        self.taken_over = True
        self._seating = None
        self._end()

    def _end(self) -> None:
        self._events.put_nowait(None)

    async def next(self) -> Event | None:
        """The next event, folded into `view`; None at the end."""
        message = await self._events.get()
        if message is None:
            self._end()  # for whoever asks again
            return None
        self.number, said = message
        event = said.event
        self.view = self.replica.course.game.fold(self.view, event)
        if event["type"] == "over":
            self._end()
        return event

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self.next()) is not None:
            yield event

    def now(self) -> int:
        """Match time, in milliseconds."""
        origin: int = self.view["origin"]
        return self._host.pulse.now() - origin

    async def act(self, action: Any, cid: str | None = None) -> Submitted:
        """Submit an action; returns when it is stored or refused."""
        assert self.viewer is not None, "a spectator does not act"
        raw = action if isinstance(action, bytes) else msgspec.json.encode(action)
        if cid is None:
            # Unique over reconnects: the seating's token is.
            token = "" if self._seating is None else self._seating.token
            cid = f"{token.rpartition('-')[2].replace(':', '-')}-{next(self._serial)}"
        return await self.replica.commands.act(self.viewer, cid, raw)

    def close(self, leave: bool = False) -> None:
        """Give the seat up; `leave`: on purpose, with the shorter grace."""
        if self._closed:
            return
        self._closed = True
        if self._seating is not None:
            self.replica.seatings.stand(self._seating, LEAVE if leave else DROP)
        self.replica.detach(self.viewer, self._hear)
        self.replica.on_gone.remove(self._end)
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
