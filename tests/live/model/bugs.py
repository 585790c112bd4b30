"""Mistakes that a process could make with the log. The model must find each of them."""

from __future__ import annotations

from collections.abc import Sequence

from games.live.proposer import Proposer
from games.live.row import STORED, Command, Result, Row, decode
from tests.live.model.process import Copy, Process, Request


class ResendsBlindly(Process):
    """After a broken connection it sends everything again that has no reply."""

    def break_connection(self, now: int) -> None:
        unanswered = [*self.replies, *self.requests]
        self.replies.clear()
        self.requests = [Request(each.item, each.first) for each in unanswered]


class AcknowledgesEarly(Process):
    """It acknowledges a command when it sends the row."""

    def drive(self, now: int) -> None:
        before = len(self.requests)
        super().drive(now)
        for request in self.requests[before:]:
            for command in decode(*request.item).commands if request.item else []:
                self.copy.settle(command, STORED)


class DoesNotCheckAgain(Process):
    """After a refusal it proposes the same commands without a look at what it has read."""

    class copy_class(Copy):
        def __init__(self, process: str) -> None:
            super().__init__(process)
            self.passed: set[str] = set()

        def check(self, command: Command, time: int) -> Result | None:
            result = None if command.cid in self.passed else super().check(command, time)
            if result is None and command.cid:
                self.passed.add(command.cid)
            return result


class IgnoresJoinRows(Process):
    """It doesn't know that others host the match, and publishes to nobody."""

    def publish(self, match_id: str, row: Row, others: set[str]) -> None:
        pass


class IgnoresGapsInHints(Process):
    """A hint after a lost one isn't followed by a read."""

    def hear_hint(self, now: int) -> None:
        if self.hints[0].number == self.proposer.applied + 1:
            super().hear_hint(now)
        else:
            self.hints.pop(0)


class AppliesHintsBlindly(Process):
    """It takes a hint for the next row, whatever its number is."""

    def hear_hint(self, now: int) -> None:
        self.proposer.applied = self.hints[0].number - 1
        super().hear_hint(now)


class NeverLooks(Process):
    """The hint that was lost was the last one, and nothing makes it read."""

    def look(self, now: int) -> None:
        self.missed_hint = False


class DoesNotRestore(Process):
    """It goes on after a fail-over as if the new primary had all its rows."""

    class proposer_class(Proposer):
        def read(self, first: int, rows: Sequence[Row]) -> list[Row]:
            found = super().read(first, rows)
            self._restored = None
            return found


class ForgetsIdleMatches(Process):
    """Only matches with a row in flight learn that the connection leads to another server."""

    def break_connection(self, now: int) -> None:
        if self.requests or self.replies:
            super().break_connection(now)


class WritesAfterTheEnd(Process):
    """It doesn't ask whether the match is over."""

    class copy_class(Copy):
        def check(self, command: Command, time: int) -> Result | None:
            return STORED if command.cid in self.cids else None


class TicksTwice(Process):
    """It doesn't ask whether another process has fired the timer."""

    class copy_class(Copy):
        def check(self, command: Command, time: int) -> Result | None:
            return None if command.kind == "tick" else super().check(command, time)


class TakesTheClockAsItIs(Process):
    """A row may be older than the one before it."""

    class proposer_class(Proposer):
        def propose(self, now: int) -> Row | None:
            self.time = 0
            return super().propose(now)


class RefusesWithoutALook(Process):
    """Refuses what its own copy refuses, though others may have stored what makes it legal."""

    class copy_class(Copy):
        def check(self, command: Command, time: int) -> Result | None:
            result = super().check(command, time)
            return result._replace(is_final=True) if result is not None else None


class TrustsAnOlderRead(Process):
    """A read that was sent before a command came counts as a look for it."""

    class proposer_class(Proposer):
        def read(self, first: int, rows: Sequence[Row]) -> list[Row]:
            found = super().read(first, rows)
            for command in self.waiting:
                command.looked = True
            return found


class MakesTheStreamAgain(Process):
    """XADD without NOMKSTREAM."""

    nomkstream = False


class DoesNotWait(Process):
    """It acknowledges before a replica has the row."""

    def must_wait(self, request: Request) -> bool:
        return False


class WaitsForItsOwnRowsOnly(Process):
    """It acknowledges a repeated command that it has read before a replica has that row."""

    def must_wait(self, request: Request) -> bool:
        return request.item is not None and super().must_wait(request)
