"""Moves on a player's own board, in every mode that has one: reveal, flag, chord."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .board import FLAG, HIDDEN, MINE, Board
from .errors import IllegalAction
from .fields import Fields
from .game import Event

SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "reveal": ("cell",),
    "flag": ("cell", "on"),
    "chord": ("cell",),
}

CODES: Final[Mapping[str, str]] = {
    "already_open": "That cell is already open.",
    "flagged": "That cell has a flag. Remove it first.",
    "same_flag": "That flag is already set that way.",
    "not_open": "You can only chord on an open cell.",
    "chord_mismatch": "The number of flags around that cell doesn't match its number.",
    "nothing_to_open": "There is nothing left to open around that cell.",
}

EVENTS: Final = ("opened", "mine", "flagged")


@dataclass(frozen=True, slots=True)
class Reveal:
    cell: int


@dataclass(frozen=True, slots=True)
class Flag:
    cell: int
    on: bool


@dataclass(frozen=True, slots=True)
class Chord:
    cell: int


Move = Reveal | Flag | Chord


def parse_move(kind: str, given: Fields) -> Move:
    cell = given.cell()
    if kind == "flag":
        return Flag(cell, given.flag("on"))
    return Reveal(cell) if kind == "reveal" else Chord(cell)


def check_move(board: Board, move: Move) -> None:
    """Raises IllegalAction when the move is not possible on this board; changes nothing."""
    cell = move.cell
    if not 0 <= cell < len(board.opened):
        raise IllegalAction("out_of_range", "That cell isn't on the board.")
    if isinstance(move, Chord):
        if not board.opened[cell]:
            raise _illegal("not_open")
        cells = board.chord(cell)
        if cells is None:
            raise _illegal("chord_mismatch")
        if not cells:
            raise _illegal("nothing_to_open")
    elif not board.is_hidden(cell):
        raise _illegal("already_open")
    elif isinstance(move, Reveal):
        if cell in board.flags:
            raise _illegal("flagged")
    elif (cell in board.flags) == move.on:
        raise _illegal("same_flag")


def make_move(board: Board, move: Move) -> list[Event]:
    """Play a checked move; the events are for those who see this board. A chord reveals one cell
    after another and stops at a mine."""
    if isinstance(move, Flag):
        board.flag(move.cell, move.on)
        return [{"type": "flagged", "cell": move.cell, "on": move.on}]
    strikes = len(board.struck)
    opened: list[int] = []
    for cell in [move.cell] if isinstance(move, Reveal) else board.chord(move.cell) or ():
        opened += board.reveal(cell)
        if len(board.struck) > strikes:
            break
    events = [opening(board, opened)] if opened else []
    if len(board.struck) > strikes:
        events.append({"type": "mine", "cell": board.struck[-1]})
    return events


def opening(board: Board, cells: list[int]) -> Event:
    """The event that shows these open cells."""
    return {"type": "opened", "cells": cells, "numbers": board.numbers(cells)}


def fold_move(cells: list[int], event: Event) -> None:
    """Apply one of these events to `Board.cells`, as a client does."""
    if event["type"] == "opened":
        for cell, number in zip(event["cells"], event["numbers"], strict=True):
            cells[cell] = number
    elif event["type"] == "mine":
        cells[event["cell"]] = MINE
    else:
        cells[event["cell"]] = FLAG if event["on"] else HIDDEN


def _illegal(code: str) -> IllegalAction:
    return IllegalAction(code, CODES[code])
