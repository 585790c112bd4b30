"""A command on its way to the log, and what became of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from games.live.appends import AGAIN, APPENDED, GONE, OVER
from games.live.counters import COUNTERS
from games.live.entry import ACTION, Entry

if TYPE_CHECKING:
    from games.live.commands import Commands

CODES: Final = {
    "match_over": "The match is over.",
    "rate_limited": "Too many moves at once; slow down.",
    "not_stored": "The move could not be stored; try again.",
    "match_gone": "The match is not there any more.",
    "server_fault": "The match had to be ended because of an error of the site.",
    "bad_action": "The action is not valid JSON.",
}


logger = logging.getLogger(__name__)


class Submitted(NamedTuple):
    """What became of a command. Empty code: it is stored."""

    code: str = ""
    text: str = ""

    @property
    def stored(self) -> bool:
        return not self.code


OnDone = Callable[[str, Submitted], None]
"""Is told the command's id, too, so that one function can wait for many."""

STORED: Final = Submitted()


def refusal(code: str) -> Submitted:
    return Submitted(code, CODES[code])


def result(status: int) -> Submitted:
    """What the append script's answer means to who waits."""
    if status in (APPENDED, AGAIN):
        return STORED
    return refusal({OVER: "match_over", GONE: "match_gone"}.get(status, "not_stored"))


class Sent(msgspec.Struct, eq=False):
    """A struct, because making one costs a fraction of a closure over all this."""

    commands: Any
    name: tuple[int | None, str]
    """Its seat and command id."""
    kind: str
    data: bytes
    action: Any
    """What the rules made of `data`, when that is known already."""
    waiting: tuple[OnDone, ...]
    """Who sent it, perhaps again before it was answered."""

    def tell(self, answer: Submitted) -> None:
        cid = self.name[1]
        for done in self.waiting:
            try:
                done(cid, answer)
            except Exception:
                logger.exception("who waits for a command could not be told")

    def answered(self, status: int, seq: int, t: int, hosts: int) -> None:
        """The append script's answer."""
        commands: Commands = self.commands
        # It is not there any more when the log told first.
        if commands.sent.pop(self.name, None) is not None:
            COUNTERS.moves += status == APPENDED and self.kind == ACTION
            self.tell(result(status))
        entry = Entry(seq, t, self.kind, *self.name, self.data)
        commands.replica.answered(status, entry, hosts, self.action)
