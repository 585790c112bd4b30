"""Rows of a match's log, as they stand in Redis.

A row is what one process appends at once: one or more commands, all with the same time. In the
stream it has the id `<number>-0` and one field: its name is the process, its value the time and the
commands, with line feeds and the control character 30 between them, which JSON can't contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from games.live.entry import Entry

BETWEEN: Final = b"\x1e"
"""Between the commands of a row: no JSON contains it, nor does a command id."""
JOIN: Final = "join"
"""The row's process hosts the match from now on: other hosts publish their rows to it."""
PART: Final = "part"
"""The row's process doesn't host the match any more."""
OVER: Final = "over"
"""The last row of a log; its data is the outcome."""
BOOKKEEPING: Final = frozenset({JOIN, PART, OVER})
"""Kinds that concern the log itself. They are no entries of the match: they have no number in it,
and the archive doesn't keep them."""


class Result(NamedTuple):
    """The result of a command. An empty code: it is stored."""

    code: str = ""
    text: str = ""
    is_final: bool = True
    """False: the rules refuse the command in the present state, but perhaps not in another."""

    @property
    def stored(self) -> bool:
        return not self.code


STORED: Final = Result()
CODES: Final = {
    "match_over": "The match is over.",
    "rate_limited": "Too many moves at once. Slow down a little.",
    "not_stored": "The site couldn't store your move. Try again.",
    "match_gone": "This match no longer exists.",
    "server_fault": "The match ended because of an error on our side.",
    "bad_action": "The action isn't valid JSON.",
}
"""The results of the runtime itself; the rules have their own codes."""
MATCH_OVER, RATE_LIMITED, NOT_STORED, MATCH_GONE, SERVER_FAULT, BAD_ACTION = (
    Result(code, text) for code, text in CODES.items()
)
UNNEEDED: Final = Result("unneeded")
"""Of a command of the runtime's own that has become pointless: a tick that is no longer due."""
OnDone = Callable[[str, Result], None]
"""Is called with the command's id and the result, so that one function can wait for many."""


class Command(msgspec.Struct, eq=False, gc=False):
    """One entry on its way into a log, or read from it."""

    kind: str
    seat: int | None = None
    cid: str = ""
    """The command id; empty when there is none. Ids that begin with ! are the runtime's own."""
    data: bytes = b""
    """JSON: the action as the client sent it, or what belongs to the kind."""
    parsed: tuple[Any, bool] | None = None
    """The parsed action (`MatchState.parse`), when it is known already."""
    on_done: OnDone | None = None
    looked: bool = False
    """A read of the log began after this command came: what the state says then is final."""


@lru_cache
def _start(kind: str, seat: int | None) -> bytes:
    """The beginning of a command's text."""
    return f"{kind}\n{'' if seat is None else seat}\n".encode()


class Row(msgspec.Struct, eq=False, gc=False):
    number: int
    process: str
    time: int
    """Milliseconds of Redis' clock; never less than the row before."""
    commands: list[Command]
    value: bytes = b""
    """As it stands in Redis; empty until it is first encoded."""

    def encode(self) -> bytes:
        if not self.value:
            texts = [
                b"%b%b\n%b" % (_start(each.kind, each.seat), each.cid.encode(), each.data)
                for each in self.commands
            ]
            text = texts[0] if len(texts) == 1 else BETWEEN.join(texts)
            self.value = b"%d\n%b" % (self.time, text)
        return self.value


def decode(number: int, process: str, value: bytes) -> Row:
    time, _, text = value.partition(b"\n")
    commands = [decode_command(each) for each in text.split(BETWEEN)] if text else []
    return Row(number, process, int(time), commands, value)


def entries_of(rows: Iterable[Row]) -> Iterator[Entry]:
    """The entries of a whole log, numbered from 0."""
    seq = 0
    for row in rows:
        for command in row.commands:
            if command.kind not in BOOKKEEPING:
                yield Entry(seq, row.time, command.kind, command.seat, command.cid, command.data)
                seq += 1


def decode_command(text: bytes) -> Command:
    kind, seat, cid, data = text.split(b"\n", 3)
    return Command(kind.decode(), int(seat) if seat else None, cid.decode(), data)


def from_stream(item: list[Any]) -> Row:
    """From an item of an XRANGE reply: [id, [name, value]]."""
    identity, fields = item
    number = int(identity.partition(b"-")[0])
    if len(fields) == 2 and not fields[0].isdigit():
        return decode(number, fields[0].decode(), fields[1])
    return _from_old_stream(number, fields)


# -- matches that began before rows had numbers ---------------------------------------------------
# Their rows have the id `<number of the last entry>-<part>`. A field's name is the time, its value
# the commands; still older ones have five fields with names. New rows follow with ids above.


def _from_old_stream(number: int, fields: list[bytes]) -> Row:
    if len(fields) == 2:
        time, text = int(fields[0]), fields[1]
    else:
        time, text = int(fields[1]), b"\n".join(fields[3::2])
    commands = [decode_command(each) for each in text.split(BETWEEN)] if text else []
    return Row(number, "", time, commands, b"%d\n%b" % (time, text))
