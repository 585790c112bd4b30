"""Data of a finished match for the replay viewer: every viewer's events with their times, and the
truth as it was at each moment. Computed from the log alone, by a process of the worker
(games/analysing/), so nothing here needs Django; names are added when somebody asks."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from games.analysing.body import pack
from games.compute import Refusal
from games.engine.game import Viewer
from games.engine.mode import Timeline
from games.engine.registry import mode
from games.live.entry import Entry, unpack_log
from games.live.match_state import MatchState
from games.replay import Replay, replay_entries

PUBLIC: Final = "public"
ALL: Final = "all"
END: Final = "end"
MOST_BYTES: Final = 32 * 1024 * 1024
"""Of JSON. A long match on a large map has 3 MB."""


def viewers(seats: int) -> dict[str, Viewer]:
    """The names of views, as addresses have them: `public`, and the number of each seat."""
    return {PUBLIC: None} | {str(number): number for number in range(seats)}


def compute(given: bytes) -> bytes:
    """A part of the match ("all", a view's name, or "end") and its log in; a Body out."""
    part, log = msgspec.msgpack.decode(given)
    entries = unpack_log(log)
    body = pack(end(replay_entries(entries)) if part == END else data(entries, part), MOST_BYTES)
    if body is None:
        raise Refusal("too_large", f"more than {MOST_BYTES} bytes")
    return msgspec.msgpack.encode(body)


def data(entries: list[Entry], view: str) -> dict[str, Any]:
    """The match is played again once: a timeline looks on."""
    watch = Watch()
    again = replay_entries(entries, watch)
    names = viewers(len(again.state.setup.seats))
    wanted = names if view == ALL else {view: names[view]}
    return {
        "duration": again.state.state.now,
        "outcome": again.outcome,
        "streams": {name: _stream(again, viewer) for name, viewer in wanted.items()},
        "truth": _truth(again, watch.timeline),
    }


class Watch:
    """Shows a match that is played again to a timeline of its mode, if that has one."""

    def __init__(self) -> None:
        self.timeline: Timeline | None = None

    def __call__(self, state: MatchState) -> None:
        if state.next == 1:
            make = mode(state.setup.mode).timeline
            self.timeline = None if make is None else make()
        if self.timeline is not None:
            self.timeline.look(state.state.game, state.state.now)


def end(again: Replay) -> dict[str, Any]:
    """The answer to a socket of an archived match: the final view, and how many events led to
    it."""
    return {
        "t": again.entries[-1].t,
        "views": {
            name: {"number": again.state.count(viewer), "view": again.state.view(viewer)}
            for name, viewer in viewers(len(again.state.setup.seats)).items()
        },
    }


def _stream(again: Replay, viewer: Viewer) -> dict[str, Any]:
    events = [[told.t, told.event] for told in again.events(viewer)]
    return {"start": again.start_view(viewer), "events": events}


def _truth(again: Replay, timeline: Timeline | None) -> dict[str, Any]:
    """The facts that the end disclosed, and those on the way. Mines may have been laid anew:
    `mines` is [match time, cells] from each moment at which they lay differently. A mode with a
    timeline has it in `timeline`."""
    end: dict[str, Any] = again.state.view(None).get("truth") or {}
    if timeline is not None:
        return {**end, "timeline": timeline.told()}
    played = mode(again.state.setup.mode)
    if "mines" in end and played.lays_mines:
        return {**end, "mines": _laid(again, played.lays_mines)}
    return end


def _laid(again: Replay, lays_mines: frozenset[str]) -> list[list[Any]]:
    state = MatchState(again.entries[0], again.state.skipped)
    mines: list[list[Any]] = []
    for entry, events in zip(again.entries[1:], again.by_entry[1:], strict=True):
        state.apply(entry)
        if lays_mines.isdisjoint(one.event["type"] for one in events):
            continue
        lying = _mines(state)
        if not mines or mines[-1][1] != lying:
            mines.append([events[-1].t, lying])
    return mines


def _mines(state: MatchState) -> list[int]:
    rules = state.game.rules
    return list(rules.truth(state.state.game)["mines"])
