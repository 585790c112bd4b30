"""Who controls the seats of a match from this process.

A connection takes a seat by an entry in the log that names it. All processes read the same
log, so they agree who came last: that one has control, the one before is told. A drop names its
connection too, and counts only while that connection has control.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING

from games.live.entry import DROP, RETURN, Entry

if TYPE_CHECKING:
    from games.live.replica import Replica

NEVER_CAME_MS = 60_000
"""A seat that nobody ever took is dropped after this long."""

SINCE = "@"
"""In a connection's name, before the time since when it wants the seat."""

_serial = count(1)


class Seating:
    """One connection's hold of one seat."""

    __slots__ = ("ended", "on_lost", "seat", "settled", "since", "token")

    def __init__(
        self, seat: int, token: str, on_lost: Callable[[], None], since: int | None
    ) -> None:
        self.seat = seat
        self.token = token
        self.on_lost = on_lost
        self.since = since
        self.settled = False
        """Its entry has been applied."""
        self.ended = False


class Seatings:
    def __init__(self, replica: Replica, process: str) -> None:
        self._replica = replica
        self._process = process
        self._here: list[Seating] = []

    def __len__(self) -> int:
        return len(self._here)

    def taken_after(self, seat: int, since: int) -> bool:
        """Has a connection the seat now that took it later than this?"""
        course = self._replica.course
        token = course.controllers[seat]
        if not token or not course.connected(seat):
            return False
        taken = token.partition(SINCE)[2]
        return not taken or int(taken) > since  # who does not tell came to stay

    def sit(self, seat: int, on_lost: Callable[[], None], since: int | None = None) -> Seating:
        """Take control of a seat; whoever had it before is told. `since`: when this was wished."""
        seating = Seating(seat, self._new_token(since), on_lost, since)
        self._here.append(seating)
        self._append(RETURN, seating.seat, f"!{seating.token}", seating.token)
        return seating

    def stand(self, seating: Seating, kind: str = DROP) -> None:
        """Give the seat up: the connection is gone (drop), or on purpose (leave)."""
        if seating.ended:
            return
        seating.ended = True
        self._here.remove(seating)
        self._append(kind, seating.seat, f"!{kind}:{seating.token}", seating.token)

    def stand_all(self) -> None:
        """This process leaves: its players are gone from here, but may return elsewhere."""
        for seating in list(self._here):
            self.stand(seating)

    def applied(self, entry: Entry, by: str) -> None:
        """A presence entry has been applied."""
        for seating in [s for s in self._here if s.seat == entry.seat]:
            if entry.kind == RETURN:
                if by == seating.token:
                    seating.settled = True
                elif seating.settled:
                    seating.ended = True
                    self._here.remove(seating)
                    seating.on_lost()
            elif by == seating.token:
                # Somebody took this process for dead. It is not, and neither is the connection.
                seating.token, seating.settled = self._new_token(seating.since), False
                self._append(RETURN, seating.seat, f"!{seating.token}", seating.token)

    def drop_the_dead(self, living: frozenset[str], now: int) -> None:
        """Seats whose process does not beat any more are dropped; twice is harmless."""
        course = self._replica.course
        for seat, token in enumerate(course.controllers):
            if not course.connected(seat):
                continue
            if token:
                if token.rpartition(":")[0] not in living:
                    self._append(DROP, seat, f"!{DROP}:{token}", token)
            elif now - course.t0 > NEVER_CAME_MS:
                self._append(DROP, seat, f"!never:{seat}", "")

    def _new_token(self, since: int | None) -> str:
        token = f"{self._process}:{next(_serial)}"
        return token if since is None else f"{token}{SINCE}{since}"

    def _append(self, kind: str, seat: int, cid: str, by: str) -> None:
        self._replica.commands.append(kind, seat, cid, b'{"by":"%b"}' % by.encode())
