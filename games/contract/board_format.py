"""The common board format (docs/board-format.md), as the site's generic board reads it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final

from games.engine.boardgame import FACES, MAX_CELLS, TEXT_LENGTH
from games.engine.game import View

GRIDS: Final = ("square", "hex")
TARGETS: Final = ("cell", "none")
BESIDE: Final = ("turn", "clock", "scores", "note", "actions")
"""The fields of a view beside its board."""


def board_problems(view: View, actions: Collection[str]) -> Iterator[str]:
    """The problems of a view of a mode with these actions, a clause for each."""
    seats, game = len(view["seats"]), view["game"]
    if missing := [name for name in ("board", *BESIDE) if name not in game]:
        yield f"there is no {missing[0]}."
        return
    yield from _of_board("board", game["board"], seats)
    yield from _of_the_rest(game, seats)
    size = len(game["board"].get("cells", ())) if isinstance(game["board"], dict) else 0
    yield from _of_actions(game["actions"], actions, view["you"], size)
    if view["truth"]:
        yield from _of_board("truth.board", view["truth"].get("board"), seats)


def _of_board(name: str, board: Any, seats: int) -> Iterator[str]:
    if not isinstance(board, dict):
        yield f"{name} is {board!r}, which isn't a board."
        return
    if board.get("grid") not in GRIDS:
        yield f"{name}.grid is {board.get('grid')!r}, not one of {', '.join(GRIDS)}."
    width, height = board.get("width", 0), board.get("height", 0)
    if not (_is_size(width) and _is_size(height) and width * height <= MAX_CELLS):
        yield f"{name} has {width!r} x {height!r} cells; there can be 1 to {MAX_CELLS}."
        return
    layers: list[tuple[str, Callable[[Any], bool], str]] = [
        ("cells", _is_face, "a known face"),
        ("owners", lambda owner: _is_seat(owner, seats), "a seat or None"),
        ("texts", _is_short, f"a text of at most {TEXT_LENGTH} characters"),
    ]
    for layer, fits, what in layers:
        values = board.get(layer)
        if not isinstance(values, list) or len(values) != width * height:
            yield f"{name}.{layer} must be a list of {width * height} values, one for each cell."
            continue
        for cell, value in enumerate(values):
            if not fits(value):
                yield f"{name}.{layer}[{cell}] is {value!r}, which isn't {what}."


def _of_the_rest(game: dict[str, Any], seats: int) -> Iterator[str]:
    turn, clock, scores, note = (game[name] for name in ("turn", "clock", "scores", "note"))
    if not _is_seat(turn, seats):
        yield f"turn is {turn!r}, which isn't a seat or None."
    if clock is not None and not _is_clock(clock):
        yield f'clock is {clock!r}, which isn\'t {{"label": text, "ends": match time}} or None.'
    texts = isinstance(scores, list) and all(isinstance(score, str) for score in scores)
    if not texts or len(scores) not in (0, seats):
        yield f"scores is {scores!r}, which isn't a text for each of {seats} seats, nor empty."
    if note is not None and not isinstance(note, str):
        yield f"note is {note!r}, which isn't a text or None."


def _of_actions(
    offered: Any, known: Collection[str], viewer: int | None, size: int
) -> Iterator[str]:
    if not isinstance(offered, list):
        yield f"actions is {offered!r}, which isn't a list."
        return
    if offered and viewer is None:
        yield "actions aren't empty, but a spectator can't act."
    for action in offered:
        if not isinstance(action, dict) or action.get("type") not in known:
            yield f"actions has {action!r}, whose type isn't in spec.actions."
        elif not isinstance(action.get("label"), str) or not action["label"]:
            yield f"the action {action['type']} has no label."
        elif action.get("target") not in TARGETS:
            yield f"the target of the action {action['type']} must be one of {', '.join(TARGETS)}."
        elif "cells" in action and not _are_cells(action["cells"], size):
            yield f"the cells of the action {action['type']} must be numbers of cells, in order."


def _are_cells(value: Any, size: int) -> bool:
    whole = isinstance(value, list) and all(type(cell) is int for cell in value)
    return whole and value == sorted(set(value)) and all(0 <= cell < size for cell in value)


def _is_size(value: Any) -> bool:
    return type(value) is int and value > 0


def _is_face(value: Any) -> bool:
    return isinstance(value, str) and value in FACES


def _is_seat(value: Any, seats: int) -> bool:
    return value is None or (type(value) is int and 0 <= value < seats)


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= TEXT_LENGTH


def _is_clock(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("label"), str)
        and type(value.get("ends")) is int
    )
