"""Delays events for viewers who may see them only later.

The board of the day stays secret while its day lasts: everybody plays the same board, so an attempt
that is over must not show it to a player who hasn't begun. A day is a day of UTC; a match belongs
to the day on which it began. A board of a solo arena stays secret for as long as the longest
window may last.

Spectators of some modes see the match as it was a while ago. There a player may be kept from seeing
something (frozen after a mine), and could open a second, anonymous socket instead. So the events of
spectators wait, and their view is folded from those that were released; at the end, all are.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from games.engine.game import View, Viewer
from games.engine.registry import REGISTRY
from games.live.broadcast import Broadcast
from games.live.match_state import MatchEvent, MatchState
from games.signals import SEALED_SECONDS

DAILY: Final = "daily"
SEALED: Final = "sealed"


def is_withheld(source: str, began: int, now: int | None = None) -> bool:
    """Times in milliseconds."""
    if source not in (DAILY, SEALED):
        return False
    at = time.time() * 1000 if now is None else now
    if source == SEALED:
        return at < began + SEALED_SECONDS * 1000
    return _day(at) <= _day(began)


def _day(ms: float) -> int:
    return datetime.fromtimestamp(ms / 1000, UTC).toordinal()


def withhold(told: View) -> View:
    """A view or an `over` event without the board: figures stay, places and seeds go."""
    truth = told["truth"]
    if truth is not None:
        truth = {name: value for name, value in truth.items() if isinstance(value, int)}
    return {**told, "seed": None, "deal": None, "truth": truth}


def withhold_from(events: list[MatchEvent]) -> list[MatchEvent]:
    return [
        MatchEvent(one.t, one.to, withhold(one.event)) if one.event["type"] == "over" else one
        for one in events
    ]


def delay_of(state: MatchState) -> int:
    """In milliseconds; 0 for nearly every mode."""
    mode = REGISTRY.get(state.setup.mode)
    if mode is None or mode.spectator_delay is None:
        return 0
    return mode.spectator_delay(state.state.options)


class Delayed:
    def __init__(self, state: MatchState, delay: int, now: Callable[[], int]) -> None:
        """The state must not be newer than `delay` ago, or be the beginning of the match."""
        self.delay = delay
        self.broadcast = Broadcast()
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._fold = state.game.fold
        self._view = state.view(None)
        self._number = state.count(None)
        self._waiting: deque[tuple[int, list[MatchEvent]]] = deque()

    def count(self, viewer: Viewer) -> int:
        return self._number

    def view(self) -> View:
        return copy.deepcopy(self._view)

    def add(self, events: list[MatchEvent], at: int, over: bool) -> None:
        """Events of entries of this time."""
        mine = [event for event in events if None in event.to]
        if mine:
            self._waiting.append((at + self.delay, mine))
            self._loop.call_later((at + self.delay - self._now()) / 1000, self.release)
        if over:
            self._waiting = deque((0, some) for _due, some in self._waiting)
        self.release()

    def release(self) -> None:
        """Tell spectators what they may know by now."""
        # A timer may fire a moment early; the next one would be late.
        now = self._now() + 5
        while self._waiting and self._waiting[0][0] <= now:
            _due, events = self._waiting.popleft()
            for event in events:
                self._view = self._fold(self._view, event.event)
            self._number += len(events)
            self.broadcast.send(events, self)
