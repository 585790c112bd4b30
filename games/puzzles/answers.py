"""What people are told of a puzzle: the position before the attempt, the rest after it."""

from __future__ import annotations

from typing import Any

from games.puzzles.making import named
from games.puzzles.models import Puzzle
from games.puzzles.position import HIDDEN

CODES = {
    "not_hidden": "Choose a hidden cell of this puzzle.",
    "bad_theme": "There is no such theme.",
    "bad_vote": "A vote is 1, 0 or -1.",
    "no_puzzles": "You have seen every puzzle of this theme. Try another one.",
    "not_attempted": "Try the puzzle before you vote on it.",
    "needs_account": "Sign up to vote on puzzles.",
    "storm_over": "This storm is over.",
    "no_storm": "That storm isn’t yours, or it is long over.",
    "too_many_requests": "Too many requests. Wait a little.",
}


class Refused(Exception):
    """`code` is one of CODES."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code, self.text = code, CODES[code]


def question(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle as anybody may see it. Its themes would give too much away."""
    return {
        "id": puzzle.pk,
        "question": puzzle.question,
        "width": puzzle.width,
        "height": puzzle.height,
        "cells": puzzle.cells,
        "mines": puzzle.mines,
        "rating": puzzle.strength,
    }


def solution(puzzle: Puzzle) -> list[int]:
    cells: list[int] = puzzle.answer["safe" if puzzle.question == "safe" else "best"]
    return cells


def check_cell(puzzle: Puzzle, cell: int) -> None:
    """Raises Refused for a cell that can't be an answer."""
    if not (0 <= cell < len(puzzle.cells) and puzzle.cells[cell] == HIDDEN):
        raise Refused("not_hidden")


def answer(puzzle: Puzzle, cell: int) -> dict[str, Any]:
    """All there is to know, for somebody who has answered with this cell."""
    own = puzzle.answer
    right = solution(puzzle)
    told: dict[str, Any] = {
        "id": puzzle.pk,
        "cell": cell,
        "correct": cell in right,
        "solution": right,
        "mines": own["mines"],
        "themes": named(puzzle.tags),
        "rating": puzzle.strength,
    }
    if puzzle.question == Puzzle.Question.SAFE:
        proven = cell if str(cell) in own["proofs"] else own["shortest"]
        numbers, mine_count = own["proofs"][str(proven)]
        told["proof"] = {"cell": proven, "numbers": numbers, "mine_count": bool(mine_count)}
    else:
        told["arrangements"] = own["total"]
        told["chances"] = {
            at: {"mines": mines, "wins": wins} for at, (mines, wins) in own["chances"].items()
        }
    return told
