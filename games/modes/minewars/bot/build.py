"""Towers, roads, bridges and barricades."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import (
    BRIDGE,
    IS_CLUSTER,
    KIND_MASK,
    MOUNTAIN,
    PENDING,
    ROAD,
    TOWER,
    WATER,
)

from .aim import FAR
from .desk import Desk, Proposal

LONGEST_ROAD: Final = 20
"""A city that builds does not earn: longer roads never pay."""
TOWERS: Final = 3
SHORTCUT: Final = 3
"""A bridge saves at least so many steps."""
ALARM: Final = 12
"""An enemy so near makes a gap between mountains worth a barricade."""


def build_tower(desk: Desk) -> Proposal | None:
    """Build a tower where enemies are near and no own tower is: it shows their items and lets
    strikes reach further."""
    board, topo = desk.board, desk.board.topo
    radius = desk.rules.tower_radius
    towers = [c for c in board.own if board.structure(c) == TOWER]
    if len(towers) >= TOWERS:
        return None
    near = {n for c in board.border for n in topo.neighbours[c]} & board.own
    sites = [
        c
        for c in near - board.border
        if board.is_empty(c)
        and c not in desk.ordered
        and _is_idle(desk, c)
        and all(topo.distance(c, tower) > radius for tower in towers)
        and not any(
            IS_CLUSTER[board.codes[n] & KIND_MASK] and board.owner(n) != board.me
            for n in topo.neighbours[c]
        )
    ]
    if not sites:
        return None
    return _build("tower", [min(sites, key=lambda c: (desk.aim.steps(c), c))])


def build_road(desk: Desk) -> Proposal | None:
    """Between two own cities without a connection, over own land of their two regions."""
    board, cities = desk.board, desk.purse.cities
    if any(desk.game["jobs"][i] for i in cities):
        return None
    linked = {tuple(pair) for pair in desk.game["links"]}
    for i, b in enumerate(cities):
        for a in cities[:i]:
            near = board.topo.distance(board.cities[a], board.cities[b]) <= LONGEST_ROAD
            if near and (a, b) not in linked:
                missing = _road(desk, a, b)
                if missing:
                    return _build("road", missing)
    return None


def build_bridge(desk: Desk) -> Proposal | None:
    """Over water to land that is not own: a way around the front, and a shorter one to the goal."""
    board, topo = desk.board, desk.board.topo
    banks = {n for c in board.own if board.is_land(c) for n in topo.neighbours[c]}
    sites: dict[int, int] = {}
    for cell in banks:
        code = board.codes[cell]
        if code & KIND_MASK != WATER or board.structure(cell) or code >> PENDING & 7:
            continue
        for pair in topo.opposites(cell):
            if not (board.is_land(pair[0]) and board.is_land(pair[1])):
                continue
            for here, there in (pair, pair[::-1]):
                way = desk.aim.steps(there)
                if (
                    here in board.own
                    and there not in board.own
                    and way + SHORTCUT <= desk.aim.steps(here)
                    and _is_idle(desk, here)
                ):
                    sites[cell] = min(sites.get(cell, FAR), way)
    if not sites:
        return None
    return _build("bridge", [min(sites, key=lambda c: (sites[c], c))])


def build_barricade(desk: Desk) -> Proposal | None:
    """In a gap of one or two tiles between own mountains, where an enemy might come through."""
    board, topo = desk.board, desk.board.topo
    peaks = [c for c in board.own if board.codes[c] & KIND_MASK == MOUNTAIN]
    gaps = {
        gap: beside
        for gap in sorted({n for c in peaks for n in topo.neighbours[c]})
        if board.is_empty(gap)
        and gap not in desk.ordered
        and desk.purse.is_own(gap)
        and (beside := [n for n in topo.neighbours[gap] if board.codes[n] & KIND_MASK == MOUNTAIN])
        and all(n in board.own for n in beside)
    }
    for gap, beside in gaps.items():
        for other in (gap, *topo.sides[gap]):
            joined = beside + gaps.get(other, [])
            if other in gaps and _is_split(desk, joined) and _is_threatened(desk, gap):
                return _build("barricade", list(dict.fromkeys((gap, other))))
    return None


def _is_threatened(desk: Desk, cell: int) -> bool:
    return any(desk.board.is_enemy(c) for c in desk.board.topo.disc(cell, ALARM))


def _build(structure: str, cells: list[int]) -> Proposal:
    return {"type": "build", "structure": structure, "cells": cells}


def _is_split(desk: Desk, peaks: list[int]) -> bool:
    """Do these mountain tiles belong to more than one mountain?"""
    if len(peaks) < 2:
        return False
    board = desk.board
    found = [peaks[0]]
    for at in found:
        for n in board.topo.sides[at]:
            if board.codes[n] & KIND_MASK == MOUNTAIN and n not in found:
                found.append(n)
    return any(c not in found for c in peaks)


def _is_idle(desk: Desk, cell: int) -> bool:
    """The tile's city is own and builds nothing."""
    region = desk.purse.region(cell)
    return region in desk.purse.cities and not desk.game["jobs"][region]


def _road(desk: Desk, a: int, b: int) -> list[int]:
    """The tiles to build on; empty if no own land leads from one to the other."""
    board, topo = desk.board, desk.board.topo
    goal = set(board.ring(b))

    def is_way(cell: int) -> bool:
        if board.structure(cell) == BRIDGE:
            return True
        road = board.structure(cell) == ROAD and cell in board.own
        return (road or board.is_empty(cell)) and desk.purse.region(cell) in (a, b)

    start = [c for c in board.ring(a) if is_way(c)]
    came: dict[int, int | None] = dict.fromkeys(start)
    for at in start:
        if at in goal:
            way: list[int] = []
            step: int | None = at
            while step is not None:
                way.append(step)
                step = came[step]
            missing = [c for c in way if board.is_empty(c)]
            return missing if len(way) <= LONGEST_ROAD else []
        for n in topo.neighbours[at]:
            if n not in came and is_way(n):
                came[n] = at
                start.append(n)
    return []
