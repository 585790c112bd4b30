"""A command on its way to the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from games.live.appends import APPENDED
from games.live.counters import COUNTERS
from games.live.entry import ACTION

if TYPE_CHECKING:
    from games.live.replica import Replica


class Submitted(NamedTuple):
    """What became of a command. Empty code: it is stored."""

    code: str = ""
    text: str = ""

    @property
    def stored(self) -> bool:
        return not self.code


OnDone = Callable[[Submitted], None]


class Sent(msgspec.Struct, eq=False):
    """A struct, because making one costs a fraction of a closure over all this."""

    replica: Any
    kind: str
    seat: int | None
    cid: str
    data: bytes
    action: Any
    """What the rules made of `data`, when that is known already."""
    since: float
    waiting: list[OnDone]

    def answered(self, status: int, seq: int, t: int, hosts: int) -> None:
        """The append script's answer."""
        replica: Replica = self.replica
        # It is not there any more when the log told first.
        if replica.sent.pop((self.seat, self.cid), None) is not None:
            if status == APPENDED and self.kind == ACTION:
                COUNTERS.move(replica.loop.time() - self.since)
            result = replica.result(status)
            for tell in self.waiting:
                tell(result)
        replica.stored(
            status, seq, t, hosts, self.kind, self.seat, self.cid, self.data, self.action
        )
