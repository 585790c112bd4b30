"""What follows from a position: probabilities, proofs, the best move, the chance to win. Pure."""

from __future__ import annotations

from math import log
from typing import Any, Final

import msgspec

from games.analyser.position import Position
from games.bots.solver import Contradiction, Solver, rectangle
from games.bots.solver.endgame import ARRANGEMENTS, Endgame, arrangements
from games.bots.solver.probabilities import Odds
from games.engine.board import FLAG, HIDDEN, MINE

CANDIDATES: Final = 12
"""Of so many safe cells, the one that is easiest to see is the best move."""
DIGITS: Final = 9
LOG10: Final = log(10)


class Asked(msgspec.Struct, array_like=True):
    position: Position
    cell: int | None = None
    """Say about this cell why it is safe or a mine."""


def compute(raw: bytes) -> bytes:
    """For games/compute.py: an Asked in MessagePack; the answer is JSON."""
    asked = msgspec.msgpack.decode(raw, type=Asked)
    return msgspec.json.encode(answer(asked.position, asked.cell))


def answer(position: Position, cell: int | None = None) -> dict[str, Any]:
    """Everything about the position. docs/analyser.md describes the fields."""
    solver = _solver(position)
    board = {
        "position": position.code,
        "width": position.width,
        "height": position.height,
        "mines": position.mines,
        "cells": list(position.cells),
    }
    try:
        _tell(solver, position)
        odds = solver.probabilities()
    except (Contradiction, ValueError):
        return {**board, "status": "contradiction", "conflict": _conflict(position)}
    return {**board, **_findings(solver, position, odds, cell)}


def _solver(position: Position, mine_count: bool = True) -> Solver:
    topology = rectangle(position.width, position.height)
    return Solver(topology, position.mines if mine_count else None)


def _tell(solver: Solver, position: Position) -> None:
    """A flag is an opinion: its cell is closed like any other."""
    for cell, shown in enumerate(position.cells):
        if shown == MINE:
            solver.mark_mine(cell)
    solver.reveal_all({cell: shown for cell, shown in enumerate(position.cells) if shown >= 0})


def _findings(solver: Solver, position: Position, odds: Odds, cell: int | None) -> dict[str, Any]:
    closed = [c for c, shown in enumerate(position.cells) if shown in (HIDDEN, FLAG)]
    flags = [c for c in closed if position.cells[c] == FLAG]
    safe, mines = sorted(solver.safe), sorted(solver.mines & set(closed))
    chances: list[float | None] = [None] * len(position.cells)
    for c in closed:
        chances[c] = _rounded(odds[c])
    done = not safe and len(mines) == len(closed)
    wins, best = _endgame(solver, odds, safe)
    if done:
        move = None
    elif safe:
        move = _easiest(solver, safe)
    else:
        guess = None if best is not None else solver.best_guess()
        move = _guess(odds, guess.cell if guess else best)
    win = None if not wins else max(wins.values())
    return {
        "status": "cleared" if done else "open",
        "chances": chances,
        "exact": odds.exact,
        "safe": safe,
        "proven_mines": mines,
        "arrangements": _arrangements(odds),
        "best": move,
        "win": 1.0 if done else win,
        "wins": [] if done else [[c, chance] for c, chance in sorted(wins.items())],
        "flags": {
            "wrong": [c for c in flags if c in solver.safe],
            "unproven": [c for c in flags if c not in solver.safe and c not in solver.mines],
        },
        "why": None if cell is None else _why(solver, odds, cell),
    }


def _endgame(solver: Solver, odds: Odds, safe: list[int]) -> tuple[dict[int, float], int | None]:
    """The chance to win by the cell that is opened next, and the best of these cells. Empty when
    that is too much to search."""
    undecided = odds.undecided()
    listed = arrangements(solver.reasoning, odds, ARRANGEMENTS) if undecided else None
    if not listed:
        return (dict.fromkeys(safe, 1.0) if not undecided else {}), None
    cells = undecided + safe
    found = Endgame(solver.reasoning, listed, cells).best()
    by_cell = Endgame(solver.reasoning, listed, cells).chances()
    if found is None:
        return {}, None
    chances = by_cell if by_cell is not None else {found[0]: found[1]}
    return {c: _rounded(chance) for c, chance in chances.items()}, found[0]


def _easiest(solver: Solver, safe: list[int]) -> dict[str, Any]:
    """The safe cell with the shortest proof, of those beside an open number first."""
    beside = solver.topology.neighbours
    near = sorted(safe, key=lambda c: (solver.numbers.keys().isdisjoint(beside[c]), c))
    proofs = [found for c in near[:CANDIDATES] if (found := solver.proof(c)) is not None]
    best = min(proofs, key=lambda proof: (proof.mine_count, len(proof.numbers)))
    return {
        "cell": best.cell,
        "kind": "safe",
        "chance": 0.0,
        "numbers": list(best.numbers),
        "mine_count": best.mine_count,
    }


def _guess(odds: Odds, cell: int | None) -> dict[str, Any] | None:
    if cell is None:
        return None
    chance = _rounded(odds[cell])
    return {"cell": cell, "kind": "guess", "chance": chance, "numbers": [], "mine_count": False}


def _why(solver: Solver, odds: Odds, cell: int) -> dict[str, Any] | None:
    """The verdict on one closed cell, with the numbers that prove it; None for an open cell."""
    if cell in solver.numbers or cell in solver.given_mines:
        return None
    proof = solver.proof(cell)
    if proof is None:
        kind, chance = "undecided", _rounded(odds[cell])
        return {"cell": cell, "kind": kind, "chance": chance, "numbers": [], "mine_count": False}
    return {
        "cell": cell,
        "kind": "mine" if proof.mine else "safe",
        "chance": 1.0 if proof.mine else 0.0,
        "numbers": list(proof.numbers),
        "mine_count": proof.mine_count,
    }


def _arrangements(odds: Odds) -> dict[str, Any]:
    """How many ways there are to lay the mines that nothing proves: exactly if few."""
    log10 = odds.log_weight / LOG10
    few = odds.exact and log10 < 6
    return {"log10": round(log10, 3), "count": round(10**log10) if few else None}


def _conflict(position: Position) -> dict[str, Any]:
    """Which numbers can't all be true, and why as precisely as can be said."""
    solver = _solver(position)
    open_cells = {cell: shown for cell, shown in enumerate(position.cells) if shown >= 0}
    for cell in (c for c, shown in enumerate(position.cells) if shown == MINE):
        solver.given_mines.add(cell)
    solver.reveal_all(open_cells)
    known = len(solver.given_mines)
    if known > position.mines:
        return _told("known_mines", found=known)
    try:
        found = solver.conflict()
    except Contradiction:
        found = None
    if found is None or not found.numbers:
        closed = sum(shown < 0 for shown in position.cells)
        if closed < position.mines:
            return _told("closed_cells", found=closed)
        return _told("numbers", sorted(open_cells))
    numbers = list(found.numbers)
    if found.mine_count:
        fewest, most = _mine_counts(position)
        if fewest is not None and fewest > position.mines:
            return _told("mines_too_few", numbers, found=fewest)
        if most is not None and most < position.mines:
            return _told("mines_too_many", numbers, found=most)
        return _told("mine_count", numbers)
    if len(numbers) > 1:
        return _told("numbers", numbers)
    around = [position.cells[c] for c in position.neighbours[numbers[0]]]
    if around.count(MINE) > open_cells[numbers[0]]:
        return _told("number_too_small", numbers, found=around.count(MINE))
    return _told("number_too_large", numbers, found=sum(shown < 0 for shown in around))


def _told(kind: str, numbers: list[int] | None = None, found: int | None = None) -> dict[str, Any]:
    return {"kind": kind, "numbers": numbers or [], "found": found}


def _mine_counts(position: Position) -> tuple[int | None, int | None]:
    """The fewest and the most mines that the numbers alone allow; None where that isn't known."""
    solver = _solver(position, mine_count=False)
    _tell(solver, position)
    solver.analyse()
    components = solver.reasoning.components()
    if any(counts.sampled for _, counts in components):
        return None, None
    sure = len(solver.mines | solver.given_mines)
    ranges = [counts.range() for _, counts in components]
    inside = sum(counts.cells for _, counts in components)
    rest = solver.reasoning.known.unknown - inside
    fewest = sure + sum(low for low, _ in ranges)
    return fewest, sure + sum(high for _, high in ranges) + rest


def _rounded(chance: float) -> float:
    return round(min(max(chance, 0.0), 1.0), DIGITS)
