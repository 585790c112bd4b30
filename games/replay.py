"""A finished match from the archive: played again, checked, told from anybody's point of view.
Needs no Django: processes that compute use it, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from games.engine.game import Outcome, View, Viewer
from games.engine.rng import commitment
from games.live.entry import Entry, unpack_log
from games.live.match_state import MatchEvent, MatchState, run

if TYPE_CHECKING:
    from games.models import Match


@dataclass(frozen=True, slots=True)
class Replay:
    entries: list[Entry]
    state: MatchState
    by_entry: list[list[MatchEvent]]
    """The events of each entry."""

    @property
    def outcome(self) -> Outcome:
        outcome = self.state.outcome()
        assert outcome is not None
        return outcome

    def start_view(self, viewer: Viewer) -> View:
        """This viewer's view before the first event."""
        return MatchState(self.entries[0]).view(viewer)

    def events(self, viewer: Viewer) -> list[MatchEvent]:
        """Every event of this viewer, in order, with its match time: the first is number 1."""
        return [event for events in self.by_entry for event in events if viewer in event.to]

    def final_hash(self) -> str:
        """Of the final state: equal for everybody who applied the same log."""
        return state_hash(self.state)


def replay(match: Match) -> Replay:
    """Play an archived match again. Raises ValueError when it is not archived, UnknownRules."""
    if match.log is None:
        raise ValueError(f"match {match.pk} has no log in the archive")
    return replay_entries(unpack_log(bytes(match.log)))


def replay_entries(
    entries: list[Entry], watch: Callable[[MatchState], None] | None = None
) -> Replay:
    """`watch` sees every state, as in `run`."""
    state, events = run(entries, watch=watch)
    return Replay(entries, state, events)


def state_hash(state: MatchState) -> str:
    return sha256(state.game.dump(state.state)).hexdigest()


def problems(match: Match) -> list[str]:
    """The differences between an archived match and its log: none, if the archive is right."""
    try:
        again = replay(match)
    except ValueError as error:
        return [str(error)]
    setup, found = again.state.setup, []
    expected = [entry.seq for entry in again.entries]
    if expected != list(range(len(expected))):
        found.append("the log has gaps")
    if any(b.t < a.t for a, b in zip(again.entries, again.entries[1:], strict=False)):
        found.append("time goes back in the log")
    if commitment(bytes.fromhex(setup.seed), bytes.fromhex(setup.deal)) != match.commitment:
        found.append("seed and deal do not match the commitment shown at the start")
    if setup.seed != match.seed or setup.deal != match.deal:
        found.append("the seed or deal in the log is not the published one")
    outcome = again.state.outcome()
    if outcome is None:
        return [*found, "the log does not end the match"]
    if outcome.reason != match.reason or outcome.aborted != (match.status == "aborted"):
        found.append("the stored reason of the end is not what the log gives")
    for seat in match.seats.all():
        rank = None if outcome.aborted else outcome.ranks[seat.number]
        if seat.rank != rank:
            found.append(f"seat {seat.number} has rank {seat.rank}, the log gives {rank}")
    for viewer in (None, *range(len(setup.seats))):
        view = again.start_view(viewer)
        for told in again.events(viewer):
            view = again.state.game.fold(view, told.event)
        if _plain(view) != _plain(again.state.view(viewer)):
            found.append(f"the events of viewer {viewer} do not lead to the final view")
    return found


def _plain(view: View) -> str:
    return json.dumps(view, sort_keys=True, default=asdict)
