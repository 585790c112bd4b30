"""Making money of what is there: harvests, and structures that are given up."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import FERTILE, FOREST, KIND_MASK, LAND, ROAD, TOWER

from .desk import Desk, Proposal

POOR: Final = 150
"""Hundredths of a unit: less than this is not enough for a strike or two."""
CLOSE: Final = 2


def harvest(desk: Desk) -> Proposal | None:
    """If the bot is poor, harvest a forest, or else fertile land, or land in need."""
    board, purse = desk.board, desk.purse
    if not desk.is_ready("harvest") or purse.total() >= desk.units(POOR):
        return None
    kinds = (FOREST, FERTILE, LAND) if is_fighting(desk) else (FOREST, FERTILE)
    for kind in kinds:
        cells = [
            c
            for c in board.own
            if board.codes[c] & KIND_MASK == kind and c not in desk.ordered and purse.is_own(c)
        ]
        if cells:
            return {"type": "harvest", "cell": desk.random.choice(cells)}
    return None


def is_fighting(desk: Desk) -> bool:
    """Is a city of the bot in danger, or one that it is about to take?"""
    board = desk.board
    if any(siege is not None for siege in desk.game["sieges"]):
        return True
    return any(board.is_enemy(c) for i in desk.purse.cities for c in board.ring(i))


def cancel_building(desk: Desk) -> Proposal | None:
    """A city with an enemy before it needs its earnings, and what an enemy is about to take is
    not worth building."""
    board = desk.board
    if not desk.is_ready("cancel"):
        return None
    for number in desk.purse.cities:
        jobs = desk.game["jobs"][number]
        if not jobs:
            continue
        city = board.cities[number]
        pressed = any(board.is_enemy(c) for c in board.topo.disc(city, CLOSE))
        poor = desk.purse.money(city) < desk.units(POOR)
        for _, cells, _ in jobs:
            if (pressed and poor) or any(n in board.border for n in cells):
                return {"type": "cancel", "cell": cells[0]}
    return None


def bulldoze(desk: Desk) -> Proposal | None:
    """A tower that sees no foreign land any more, or that falls anyway; a road that an enemy has
    reached."""
    board, topo = desk.board, desk.board.topo
    if not desk.is_ready("bulldoze"):
        return None
    for cell in board.own:
        kind = board.structure(cell)
        if cell in desk.ordered or kind not in (TOWER, ROAD):
            continue
        if kind == ROAD:
            useless = cell in board.border and not board.has_item(cell)
        else:
            seen = topo.disc(cell, desk.rules.tower_radius - 1)
            useless = not any(board.is_land(c) and board.owner(c) != board.me for c in seen)
            beside = [n for n in topo.neighbours[cell] if board.is_land(n)]
            useless = useless or 2 * sum(board.is_enemy(n) for n in beside) > len(beside)
        if useless:
            return {"type": "bulldoze", "cell": cell}
    return None
