"""Appends to a match's log by proposing rows. No clock, no event loop and no Redis in here.

The log is a Redis stream whose rows have the ids 1-0, 2-0, 3-0 and so on. Redis refuses an id that
isn't above the last one, and that is the whole protocol:

1. A process that has applied row n proposes row n+1 (`propose`). If it is stored, nobody else wrote
   since row n, so the row follows exactly what the process had checked its commands against. The
   process then applies the row and acknowledges its commands (`stored`).
2. If Redis refuses it (`refused`), another process wrote row n+1. Read what is missing
   (`next_read`, `read`), apply it, check the waiting commands again, and propose the next row. A
   command that the other process has stored is found by its id, so none is in the log twice.
3. One row is in flight at a time; commands that come meanwhile wait for the next one.
4. If the connection breaks (`broke`), nobody knows whether the row in flight is stored. Read the
   log first; commands that are in it are acknowledged, the others proposed again. Never resend.
5. The same read shows whether a fail-over lost rows: the process holds the last ones it applied
   and proposes again, under their own ids, those that the log lacks. If the log has other rows in
   their place, this copy of the match is wrong and has to be built again (`diverged`).
6. A process that starts to host a match appends a `join` row. From then on the others know it and
   publish their rows to it (`others`, `hint`). A hint may be lost: the next proposal is refused, or
   the next look at the log (`look`) finds the row.
7. A command that the rules refuse is refused for good only if the log was read after it came, and
   no command accepted before it is still on its way: either may be what makes it legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from games.live.entry import ACTION
from games.live.row import BOOKKEEPING, JOIN, PART, Command, Result, Row, decode

MOST_COMMANDS: Final = 64
"""Of one row."""
KEPT_ROWS: Final = 32
"""The last rows applied, held for a fail-over."""


class Match(Protocol):
    """The copy of the match that the log is applied to."""

    def check(self, command: Command, time: int) -> Result | None:
        """None: the command may be appended to the state as it is, at this time."""

    def settle(self, command: Command, result: Result) -> None:
        """The command will not be appended: it is stored already, or refused."""

    def apply(self, row: Row, own: bool) -> None:
        """The next row; every row comes once, in order. `own`: this process proposed it, so its
        commands are acknowledged now."""

    def diverged(self) -> None:
        """The log has other rows than those applied here. Nothing is proposed any more."""


NOBODY: Final[frozenset[str]] = frozenset()
"""Python makes a new one each time, of 216 bytes; most matches are played in one process."""


class Proposer:
    """One per match and process. Whoever drives it calls `propose` and `next_read` after every
    other call, and carries out what they return."""

    __slots__ = (
        "_comparing",
        "_kept",
        "_match",
        "_reading",
        "_restored",
        "_wants_read",
        "applied",
        "hosts",
        "in_flight",
        "is_closed",
        "others",
        "process",
        "time",
        "waiting",
    )

    def __init__(self, process: str, match: Match) -> None:
        self.process = process
        self._match = match
        self.applied = 0
        """The number of the last row applied."""
        self.time = 0
        """Its time."""
        self.hosts: set[str] = set()
        """Processes that host the match, according to the rows applied."""
        self.others: frozenset[str] = NOBODY
        """The same without this process: where to publish the rows that it stores."""
        self.waiting: list[Command] = []
        self.in_flight: Row | None = None
        self.is_closed = False
        """The match is gone or its rows differ from ours: nothing is proposed or read."""
        self._kept: list[tuple[str, bytes]] = []
        """Process and value of the rows up to `applied`."""
        self._wants_read = False
        self._reading = False
        self._comparing = False
        """The next read, or the one under way, compares the rows we hold with the log."""
        self._restored: int | None = None
        """While the log lacks rows that we hold: the last one that it has."""

    def resume(self, applied: int, time: int, hosts: set[str]) -> None:
        """Go on behind this row, whose effects are known from elsewhere (a snapshot)."""
        self.applied, self.time, self.hosts = applied, time, hosts
        self.others = frozenset(hosts - {self.process}) or NOBODY
        self._kept.clear()

    @property
    def is_idle(self) -> bool:
        """Every command has been answered."""
        return not self.waiting and self.in_flight is None

    @property
    def has_work(self) -> bool:
        """Whether `propose` or `next_read` may return something."""
        return bool(self.waiting) or self._wants_read or self._restored is not None

    # -- proposing -------------------------------------------------------------------------------

    def append(self, command: Command) -> None:
        self.waiting.append(command)

    def propose(self, now: int) -> Row | None:
        """The row to store now under its own number, if there is one. `now` is Redis' clock."""
        if self.in_flight is not None or self._wants_read or self._reading or self.is_closed:
            return None
        if self._restored is not None:
            self.in_flight = self._held(self._restored + 1)
            return self.in_flight
        if not self.waiting:
            return None
        time = now if now > self.time else self.time
        accepted: list[Command] = []
        names: set[tuple[int | None, str]] = set()
        waiting, self.waiting = self.waiting, []
        check = self._match.check
        for index, command in enumerate(waiting):
            result = check(command, time)
            name = command.seat, command.cid
            if result is None and name not in names and len(accepted) < MOST_COMMANDS:
                accepted.append(command)
                if command.cid:
                    names.add(name)
            elif result is not None and (result.is_final or (command.looked and not accepted)):
                self._match.settle(command, result)
            else:
                # Judge it by the state that those before it lead to, or after a look at the log.
                self.waiting = waiting[index:] + self.waiting
                self._wants_read = result is not None and not accepted
                break
        if accepted:
            self.in_flight = Row(self.applied + 1, self.process, time, accepted)
        return self.in_flight

    def stored(self) -> None:
        """The row in flight is in the log."""
        row = self.in_flight
        assert row is not None
        if self._restored is not None:
            self.in_flight = None
            self._restored = row.number if row.number < self.applied else None
        elif row.number == self.applied + 1:
            self.in_flight = None
            self._apply(row, own=True)
        else:
            # A row of that number was applied meanwhile: there were two primaries.
            self.broke()

    def refused(self) -> None:
        """Redis has a row of that number, or a later one."""
        row = self._take_back()
        if self._restored is not None:
            self._compare()
        elif self.applied < row.number:
            self._wants_read = True

    def broke(self) -> None:
        """The connection broke, or leads to another server now. Call this also when nothing is
        in flight: the new server may lack rows."""
        if self.in_flight is not None:
            self._take_back()
        self._reading = False
        self._compare()

    def failed(self, result: Result) -> None:
        """Redis answered with an error that may last (out of memory, disk full): the row is not
        stored. It refuses players' commands and retries the runtime's own."""
        row = self._take_back()
        for command in row.commands:
            if command.kind == ACTION:
                self.waiting.remove(command)
                self._match.settle(command, result)

    def close(self) -> None:
        """The match is not in Redis any more, or not in this process."""
        self.is_closed = True

    def take_all(self) -> list[Command]:
        """The commands without a result, to be settled by whoever closed this."""
        if self.in_flight is not None:
            self._take_back()
        waiting, self.waiting = self.waiting, []
        return waiting

    def _take_back(self) -> Row:
        row, self.in_flight = self.in_flight, None
        assert row is not None
        self.waiting[:0] = row.commands
        return row

    # -- reading ---------------------------------------------------------------------------------

    def look(self) -> None:
        """Read what may have been missed."""
        self._wants_read = True

    def next_read(self) -> int | None:
        """The number of the first row to read from now, if there is something to read. `read` or
        `broke` has to follow. Never while a row is in flight: one request at a time."""
        if not self._wants_read or self._reading or self.in_flight is not None or self.is_closed:
            return None
        self._wants_read, self._reading = False, True
        for command in self.waiting:
            command.looked = True  # nothing is checked before the answer is here
        # To compare, begin with the row before those we hold: the log must have that one.
        return self.applied - len(self._kept) if self._comparing else self.applied + 1

    def read(self, first: int, rows: Sequence[Row]) -> list[Row]:
        """All rows of the log from this number on, at the time of the read. Returns those that this
        process stored without knowing it: it has not published them yet."""
        if self.is_closed:
            return []
        self._reading = False
        if self._comparing:
            self._comparing = False
            if not self._agrees(first, rows):
                self.is_closed = True
                self._match.diverged()
                return []
            last = rows[-1].number
            self._restored = last if last < self.applied else None
        new = [row for row in rows if row.number > self.applied]
        for row in new:
            self._apply(row, own=False)
        return [row for row in new if row.process == self.process]

    def hint(self, row: Row) -> None:
        """Another process says that it stored this row."""
        if self.is_closed:
            return
        if row.number == self.applied + 1 and not self._comparing and self._restored is None:
            self._apply(row, own=False)
        elif row.number > self.applied:
            self._wants_read = True

    def _compare(self) -> None:
        self._restored = None
        self._comparing = self._wants_read = True

    def _agrees(self, first: int, rows: Sequence[Row]) -> bool:
        """Whether the log has no other rows than ours, and those it lacks can be restored."""
        ours = enumerate(self._kept, first + 1)
        theirs = {row.number: (row.process, row.encode()) for row in rows}
        return bool(rows) and all(theirs.get(number, row) == row for number, row in ours)

    def _held(self, number: int) -> Row:
        process, value = self._kept[number - self.applied - 1]
        row = decode(number, process, value)
        row.commands = []  # they were acknowledged when the row was applied
        return row

    def _apply(self, row: Row, own: bool) -> None:
        self.applied, self.time = row.number, row.time
        if row.process:
            self._kept.append((row.process, row.encode()))
            del self._kept[:-KEPT_ROWS]
        for command in row.commands:
            if command.kind in BOOKKEEPING and hosts_changed(self.hosts, row):
                self.others = frozenset(self.hosts - {self.process})
        self._match.apply(row, own)


def hosts_of(rows: Iterable[Row]) -> set[str]:
    """The processes that host a match after these rows."""
    hosts: set[str] = set()
    for row in rows:
        hosts_changed(hosts, row)
    return hosts


def hosts_changed(hosts: set[str], row: Row) -> bool:
    """Enter into `hosts` what a row says about them."""
    changed = False
    for command in row.commands:
        if command.kind == JOIN:
            hosts.add(row.process)
            changed = True
        elif command.kind == PART:
            hosts.discard(row.process)
            changed = True
    return changed
