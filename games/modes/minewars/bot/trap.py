"""Laying mines, decoys and flashbangs."""

from __future__ import annotations

from typing import Final

from .desk import Desk, Proposal

RESERVE: Final = 400
"""Hundredths of a unit that stay for strikes when a trap is laid without need."""
ALARM: Final = 4
"""An enemy so many tiles from a city makes its ring a place for traps."""


def entrench(desk: Desk) -> Proposal | None:
    """Lay items on the part of an enemy city's ring that is taken: the defender fears to step on
    them."""
    board, target = desk.board, desk.aim.target
    if target is None or not board.is_enemy(board.cities[target]):
        return None
    return _lay_in(desk, board.ring(target), len(board.ring(target)) - 1, 0)


def guard_cities(desk: Desk) -> Proposal | None:
    """Items around own cities that enemies have come near to."""
    board = desk.board
    for number in desk.purse.cities:
        near = board.topo.disc(board.cities[number], ALARM)
        if any(board.is_enemy(c) for c in near):
            ring = board.ring(number)
            if found := _lay_in(desk, ring, desk.skill.ring, RESERVE // 2):
                return found
    return None


def guard_border(desk: Desk) -> Proposal | None:
    """Items on own land beside an enemy's, not two side by side."""
    board, neighbours = desk.board, desk.board.topo.neighbours
    if not desk.skill.traps or not desk.is_ready("deploy"):
        return None
    border = [
        c
        for c in board.border
        if board.is_empty(c)
        and c not in desk.ordered
        and not any(board.has_item(n) and board.owner(n) == board.me for n in neighbours[c])
    ]
    if not border:
        return None
    return desk.deploy(desk.random.choice(desk.skill.traps), desk.random.choice(border), RESERVE)


def _lay_in(desk: Desk, ring: tuple[int, ...], wanted: int, keep: int) -> Proposal | None:
    board = desk.board
    laid = sum(board.has_item(c) for c in ring if board.owner(c) == board.me)
    ordered = sum(c in desk.ordered for c in ring)
    free = [c for c in ring if board.is_empty(c) and c not in desk.ordered]
    if not desk.skill.traps or laid + ordered >= wanted or not free:
        return None
    item = "mine" if not laid else desk.random.choice(desk.skill.traps)
    return desk.deploy(item, desk.random.choice(free), keep)
