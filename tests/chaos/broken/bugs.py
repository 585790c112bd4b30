"""Each function breaks one promise of the runtime in this process."""

from __future__ import annotations

from typing import Any

from games.live.match_state import MatchState
from games.live.proposer import Proposer
from games.live.replica import Replica
from games.live.row import STORED, OnDone, Row

_submit, _check = Replica.submit, Replica.check


def acknowledge_before_append() -> None:
    def early(
        self: Replica, seat: int, cid: str, raw: bytes, on_done: OnDone, now: float | None = None
    ) -> None:
        on_done(cid, STORED)
        _submit(self, seat, cid, raw, lambda cid, result: None, now)

    Replica.submit = early


def no_deduplication() -> None:
    """No process knows a command id again, neither before it proposes nor when it applies."""
    apply_command = MatchState.apply_command

    def forgetful(self: MatchState, *command: Any) -> None:
        self.commands = [{} for _ in self.commands]
        apply_command(self, *command)

    def unchecked(self: Replica, command: Any, time: int) -> Any:
        # The rules would find most repeated moves illegal, and hide the bug.
        self.state.commands = [{} for _ in self.state.commands]
        due, self.timer.due = self.timer.due, 0
        try:
            return _check(self, command, time)
        finally:
            self.timer.due = due

    MatchState.apply_command = forgetful
    Replica.check = unchecked


def out_of_order() -> None:
    """A process applies rows as they come, and doesn't read those that it missed."""

    def at_once(self: Proposer, row: Row) -> None:
        if row.number > self.applied:
            self._apply(row, own=False)

    def blindly(self: Proposer, first: int, rows: list[Row]) -> list[Row]:
        self._reading = self._comparing = False
        for row in rows[-1:]:
            if row.number > self.applied:
                self._apply(row, own=False)
        return []

    Proposer.hint = at_once
    Proposer.read = blindly
