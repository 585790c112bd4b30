"""The connections that control the seats of a match, as far as they are in this process.

A connection takes a seat by an entry in the log that names it. All processes read the same log, so
they agree which connection came last: it takes control, and the previous one gets a message. A
drop names its connection too, and counts only while that connection has control.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Final

import msgspec

from games.live.entry import DROP, RETURN
from games.live.match_state import MatchState
from games.live.row import Command

NEVER_CAME_MS: Final = 60_000
"""A seat that nobody ever took is dropped after this long."""
SINCE: Final = "@"
"""In a connection's name, before the time since when its client wants the seat."""

_serial = count(1)


class Connection:
    """One connection's hold of one seat."""

    __slots__ = ("ended", "name", "on_lost", "seat", "settled", "since")

    def __init__(
        self, seat: int, name: str, on_lost: Callable[[], None], since: int | None
    ) -> None:
        self.seat = seat
        self.name = name
        """Begins with the process: `web-123-abcd:7`."""
        self.on_lost = on_lost
        self.since = since
        self.settled = False
        """Its entry has been applied."""
        self.ended = False


class Seats:
    __slots__ = ("_append", "_here", "_process", "_state")

    def __init__(
        self,
        process: str,
        state: Callable[[], MatchState],
        append: Callable[[Command], None],
    ) -> None:
        self._process = process
        self._state = state
        self._append = append
        self._here: list[Connection] = []

    def __len__(self) -> int:
        return len(self._here)

    def taken_after(self, seat: int, since: int) -> bool:
        """Does a connection control the seat that took it later than this?"""
        state = self._state()
        name = state.controllers[seat]
        if not name or not state.connected(seat):
            return False
        taken = name.partition(SINCE)[2]
        return not taken or int(taken) > since  # a connection without a time came to stay

    def take(self, seat: int, on_lost: Callable[[], None], since: int | None = None) -> Connection:
        """Take control of a seat and notify the connection that had it. `since`: when the client
        first wanted it."""
        connection = Connection(seat, self._new_name(since), on_lost, since)
        self._here.append(connection)
        self._enter(RETURN, connection.seat, f"!{connection.name}", connection.name)
        return connection

    def give_up(self, connection: Connection, kind: str = DROP, *, by_outage: bool = False) -> None:
        """The connection is gone (drop), or its player left on purpose (leave). `by_outage`: the
        site lost the connection, and the rules hold that against nobody."""
        if connection.ended:
            return
        connection.ended = True
        self._here.remove(connection)
        cid = f"!{kind}:{connection.name}"
        self._enter(kind, connection.seat, cid, connection.name, by_outage)

    def give_up_all(self) -> None:
        """This process stops: its players are gone from here, but may return elsewhere."""
        for connection in list(self._here):
            self.give_up(connection, by_outage=True)

    def applied(self, command: Command) -> None:
        """A return, drop or leave has been applied."""
        if not self._here:
            return
        by = (msgspec.json.decode(command.data) if command.data else {}).get("by", "")
        for connection in [one for one in self._here if one.seat == command.seat]:
            if command.kind == RETURN:
                if by == connection.name:
                    connection.settled = True
                elif connection.settled:
                    connection.ended = True
                    self._here.remove(connection)
                    connection.on_lost()
            elif by == connection.name:
                # Another process took this one for dead. It isn't, and nor is the connection.
                connection.name, connection.settled = self._new_name(connection.since), False
                self._enter(RETURN, connection.seat, f"!{connection.name}", connection.name)

    def drop_dead(self, living: frozenset[str], now: int) -> None:
        """Drop the seats whose process sends no heartbeats any more; twice is harmless."""
        state = self._state()
        for seat, name in enumerate(state.controllers):
            if not state.connected(seat):
                continue
            if name:
                if name.rpartition(":")[0] not in living:
                    self._enter(DROP, seat, f"!{DROP}:{name}", name, by_outage=True)
            elif now - state.t0 > NEVER_CAME_MS:
                self._enter(DROP, seat, f"!never:{seat}", "")

    def _new_name(self, since: int | None) -> str:
        name = f"{self._process}:{next(_serial)}"
        return name if since is None else f"{name}{SINCE}{since}"

    def _enter(self, kind: str, seat: int, cid: str, by: str, by_outage: bool = False) -> None:
        data = {"by": by, "outage": True} if by_outage else {"by": by}
        self._append(Command(kind, seat, cid, msgspec.json.encode(data)))
