"""Builds a viewer's view of a match: the lifecycle's part, with the mode's inside."""

from __future__ import annotations

from typing import TypeVar

from .folding import LIVE, OVER
from .game import Rules, View, Viewer
from .state import State

S = TypeVar("S")


def view(rules: Rules[S], state: State[S], viewer: Viewer) -> View:
    """Everything that is public about the lifecycle, and what the mode shows this viewer."""
    seen: View = {
        "mode": rules.spec.name,
        "version": state.setup.version,
        "options": dict(state.options),
        "commitment": state.commitment,
        "you": viewer,
        "phase": state.phase,
        "origin": state.origin,
        "setup_ends": state.setup_ends,
        "seats": [
            {
                "team": state.teams[i],
                "connected": s.connected,
                "ready": s.ready,
                "gone": s.gone,
                "deadline": s.deadline,
                "claimable": s.claimable and state.phase == LIVE,
                "retired": s.retired,
            }
            for i, s in enumerate(state.seats)
        ],
        "outcome": None,
        "seed": None,
        "deal": None,
        "truth": None,
        "game": rules.view(state.game, viewer),
    }
    if state.phase == OVER:
        seen.update(disclosure(rules, state))
    return seen


def disclosure(rules: Rules[S], state: State[S]) -> View:
    """The facts that everybody may know once the match is over."""
    assert state.outcome is not None
    return {
        "outcome": state.outcome.as_json(),
        "seed": state.setup.seed.hex(),
        "deal": state.setup.deal.hex(),
        "truth": rules.truth(state.game),
    }
