"""Adapts the options of a match for the lobby."""

from __future__ import annotations

from typing import Any, Final

from games.engine.game import Outcome

TEXT_TURN_SECONDS: Final = 120
"""People who type their moves need longer turns."""


def text_options(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a match in which somebody plays over the text protocol."""
    return {**options, "turn_seconds": max(TEXT_TURN_SECONDS, options.get("turn_seconds", 0))}


def rematch_options(options: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """The loser attacks first; after a draw, the player who attacked second."""
    one, other = outcome.ranks
    first = 1 - options.get("first", 0) if one == other else int(other > one)
    return {**options, "first": first}
