"""The start that each client of a room picks before the match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.engine.errors import IllegalAction
from games.engine.game import Setup
from games.modes.area_attack.rules.options import parse_options
from games.modes.area_attack.rules.starts import check_pick
from games.modes.area_attack.rules.state import start

from . import codec


def check(game: Mapping[str, Any], cell: int, others: Sequence[tuple[str, int]]) -> None:
    """The rules' own check against the starts of the others, with their names in its text; raises
    IllegalAction."""
    options = parse_options(codec.options(game))
    state = start(Setup("area-attack", 1, bytes(32), len(others) + 1, options, 0))
    state.picks[:] = [*(other for _, other in others), None]
    try:
        check_pick(state, len(others), cell)
    except IllegalAction as error:
        text = error.text
        for number, (name, _) in enumerate(others, 1):
            text = text.replace(f"player {number}:", f"{name}:")
        raise IllegalAction(error.code, text) from None


def opening(cell: int) -> list[dict[str, Any]]:
    """The seat's first actions."""
    return [{"type": "pick", "cell": cell}, {"type": "confirm"}]
