"""The part of a match's result that comes from the statistics."""

from __future__ import annotations

from typing import Any

from games.engine.registry import REGISTRY
from games.models import Match
from games.statistics import selectors
from games.statistics.models import Awaiting, SoloGame


def result_of(match: Match) -> dict[str, Any]:
    """`figures` of a solo game; `accuracy` by seat, `waiting` while the match waits for it. Empty
    for a match that is not over."""
    mode = REGISTRY.get(match.mode)
    if mode is None or match.status != Match.Status.OVER:
        return {}
    told: dict[str, Any] = {}
    if mode.solo_figures is not None:
        game = SoloGame.objects.filter(pk=match.pk).first()
        told["figures"] = None if game is None else _figures(game)
    if mode.judge is not None:
        found = selectors.accuracies_of_match(match.pk)
        told["accuracy"] = {str(seat): round(percent, 2) for seat, percent in found.items()}
        told["waiting"] = not found and Awaiting.objects.filter(pk=match.pk).exists()
    return told


def _figures(game: SoloGame) -> dict[str, Any]:
    return {
        "best": game.is_best,
        "before_ms": game.best_before_ms,
        "held": game.state == SoloGame.State.HELD,
        "speed": round(game.speed, 3),
        "ioe": round(game.ioe, 3),
        "rqp": round(game.rqp, 3),
    }
