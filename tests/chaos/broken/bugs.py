"""Each function breaks one promise of the runtime in this process."""

from __future__ import annotations

from typing import Any

from games.live import store
from games.live.commands import Commands
from games.live.course import Course
from games.live.entry import Entry
from games.live.replica import Replica
from games.live.sent import STORED, OnDone

submit = Commands.submit


def acknowledge_before_append() -> None:
    def early(
        self: Commands, seat: int, cid: str, raw: bytes, done: OnDone, *at: Any, **more: Any
    ) -> None:
        done(cid, STORED)
        submit(self, seat, cid, raw, lambda cid, result: None, *at, **more)

    Commands.submit = early  # type: ignore[method-assign]


def no_deduplication() -> None:
    text = store.SCRIPTS["append"]
    broken = text.replace("local first = name and names[name]", "local first = nil")
    assert broken != text
    store.SCRIPTS["append"] = broken
    # No process remembers a command either, nor leaves out its second copy.
    act = Course.act

    def forgetful(self: Course, *entry: Any) -> None:
        self.commands = [{} for _ in self.commands]
        act(self, *entry)

    Course.act = forgetful  # type: ignore[method-assign]
    Course._of = lambda self, seat: {}  # type: ignore[method-assign]

    def unchecked(self: Commands, *command: Any, **more: Any) -> None:
        # The check before storing would find most repeated moves illegal, and hide the bug.
        alarm = self.replica.alarm
        due, alarm.due_at = alarm.due_at, 0.0
        submit(self, *command, **more)
        alarm.due_at = due

    Commands.submit = unchecked  # type: ignore[method-assign]


def out_of_order() -> None:
    def at_once(self: Replica, entry: Entry, action: Any = None, own: bool = False) -> None:
        if entry.seq < self.course.next:
            return
        self.course.next = entry.seq
        self._apply(entry, action, own)
        self._tell()

    Replica.receive = at_once  # type: ignore[method-assign]
