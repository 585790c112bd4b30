"""Mountains: what keeps one from being taken is mostly an item or two beside it."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import IS_CLUSTER, KIND_MASK, MOUNTAIN

from .board import Board
from .desk import Desk, Proposal

KEEP: Final = 300
"""Hundredths of a unit that stay for the war."""
MOST: Final = 6
"""With more tiles left around a mountain it is not worth the strikes."""


def clear_mountain(desk: Desk) -> Proposal | None:
    """Strike what is left around the mountain that earns most for it: once the bot holds all land
    around, the mountain is its own. Land that is known to be empty it takes anyway."""
    board = desk.board
    if not desk.is_ready("strike"):
        return None
    best: list[int] = []
    most = 0.0
    for group, rim in groups(board):
        left = [c for c in rim if c not in board.own]
        if not 0 < len(left) <= MOST or not board.safe.isdisjoint(left):
            continue
        if any(
            board.is_enemy(c)
            or c in desk.ordered
            or not board.is_in_reach(c, desk.rules.sight_radius)
            for c in left
        ):
            continue
        income = sum(desk.rules.income[board.codes[c] & KIND_MASK] for c in group)
        worth = income / (4 + len(left))
        if worth > most:
            best, most = left, worth
    return desk.strike(best, KEEP) if best else None


def groups(board: Board) -> list[tuple[list[int], set[int]]]:
    """Each mountain that is not own, with the mountains and forests that touch it, and the land
    around them all."""
    codes, neighbours = board.codes, board.topo.neighbours
    seen: set[int] = set()
    found: list[tuple[list[int], set[int]]] = []
    for cell, code in enumerate(codes):
        if code & KIND_MASK != MOUNTAIN or cell in seen or cell in board.own:
            continue
        group, rim = [cell], set()
        seen.add(cell)
        for at in group:
            for n in neighbours[at]:
                if board.is_land(n):
                    rim.add(n)
                elif IS_CLUSTER[codes[n] & KIND_MASK] and n not in seen and n not in board.own:
                    seen.add(n)
                    group.append(n)
        found.append((group, rim))
    return found
