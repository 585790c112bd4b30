"""Stores the figures of finished games, once for each."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.engine.figures import Figures
from games.engine.registry import REGISTRY
from games.live.entry import ACTION, Entry
from games.live.match_state import MatchState
from games.models import Match, Seat
from games.replay import replay
from games.statistics import bests, tallies
from games.statistics.models import SoloGame
from games.statistics.suspicion import suspicion

Log = tuple[MatchState, Sequence[Entry]]
"""A finished match: the state at its end, and its entries."""

logger = logging.getLogger(__name__)


def has_figures(match: Match) -> bool:
    mode = REGISTRY.get(match.mode)
    return mode is not None and mode.solo_figures is not None and match.status == Match.Status.OVER


def figures_of(match: Match, log: Log | None = None) -> Figures | None:
    """The figures of an archived game; None when it never began, or can't be played again."""
    mode = REGISTRY[match.mode]
    assert mode.solo_figures is not None
    try:
        state, entries = _log(match) if log is None else log
        return mode.solo_figures(state.state.game, _moves(state, entries))
    except Exception as error:  # the archive must not fail for a figure
        logger.error("match %s: no figures: %r", match.pk, error)
        return None


def _log(match: Match) -> Log:
    again = replay(match)
    return again.state, again.entries


def _moves(state: MatchState, entries: Sequence[Entry]) -> list[tuple[int, dict[str, Any]]]:
    return [
        (entry.t - state.t0, entry.body())
        for entry in entries
        if entry.kind == ACTION and entry.seq not in state.skipped
    ]


def record(matches: Iterable[Match], logs: Mapping[str, Log]) -> int:
    """Store the figures of these matches, the earliest first; returns how many were new. In a
    transaction that holds the rows of their players. A match that is stored already is left
    alone."""
    return sum(_record(match, logs.get(match.pk)) for match in matches if has_figures(match))


def _record(match: Match, log: Log | None) -> bool:
    game = insert(match, log)
    if game is None:
        return False
    tallies.note(game)
    bests.note(game, game.user.board)
    return True


def insert(match: Match, log: Log | None = None) -> SoloGame | None:
    """Store the figures of one game, and count it nowhere yet. None when there is nothing to store,
    or it is stored already."""
    seat = match.seats.all()[0]
    if seat.user is None or SoloGame.objects.filter(pk=match.pk).exists():
        return None
    figures = figures_of(match, log)
    if figures is None:
        return None
    game = _game(match, seat, figures)
    game.save(force_insert=True)
    return game


def _game(match: Match, seat: Seat, figures: Figures) -> SoloGame:
    # Everybody has the board of the day, or of a solo arena, and can have seen it before.
    ranked = match.source not in (Match.Source.DAILY, Match.Source.SEALED)
    why = suspicion(figures)
    return SoloGame(
        match=match,
        user=seat.user,
        mode=match.mode,
        board=figures.board,
        no_guess=figures.no_guess,
        ended_at=match.ended_at or match.created_at,
        won=figures.won,
        aided=match.aided,
        ranked=ranked,
        state=SoloGame.State.HELD if why else SoloGame.State.COUNTED,
        why=why,
        time_ms=figures.time_ms,
        bbbv=figures.bbbv,
        bbbv_done=figures.bbbv_done,
        reveals=figures.reveals,
        flags=figures.flags,
        chords=figures.chords,
    )
