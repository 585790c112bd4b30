"""Roads between own cities, towers at the frontier, and harvests when money is short."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import (
    FERTILE,
    FOREST,
    IS_CLUSTER,
    KIND_MASK,
    ROAD,
    STRUCTURE,
    TOWER,
)

from .desk import Desk, Proposal

POOR: Final = 150
"""Hundredths of a unit: less than this is not enough for a strike or two."""
LONGEST_ROAD: Final = 14
"""A city that builds does not earn: longer roads never pay."""
TOWERS: Final = 3


def harvest(desk: Desk) -> Proposal | None:
    """When the bot is poor: a forest, or else fertile land, far from any enemy or not."""
    board, purse = desk.board, desk.purse
    poor = purse.unit * POOR * desk.rules.price_percent // 10_000
    if not desk.is_ready("harvest") or purse.total() >= poor:
        return None
    for kind in (FOREST, FERTILE):
        cells = [
            c
            for c in board.own
            if board.codes[c] & KIND_MASK == kind and c not in desk.ordered and purse.is_own(c)
        ]
        if cells:
            return {"type": "harvest", "cell": desk.random.choice(cells)}
    return None


def build_tower(desk: Desk) -> Proposal | None:
    """Where enemies are near and no own tower is: it shows their items and lets strikes reach
    further."""
    board, purse, topo = desk.board, desk.purse, desk.board.topo
    if not desk.is_ready("build"):
        return None
    radius = desk.rules.tower_radius
    towers = [
        c for c in board.own
        if board.codes[c] >> STRUCTURE & 7 == TOWER
    ]  # fmt: skip
    if len(towers) >= TOWERS:
        return None
    sites = [
        c
        for c in board.own
        if board.is_empty(c)
        and c not in desk.ordered
        and _is_idle(desk, c)
        and any(board.is_enemy(n) for n in topo.disc(c, 2))
        and all(topo.distance(c, tower) > radius for tower in towers)
        and not any(
            IS_CLUSTER[board.codes[n] & KIND_MASK] and board.owner(n) != board.me
            for n in topo.neighbours[c]
        )
    ]
    if not sites or purse.total() < 8 * purse.unit * desk.rules.price_percent // 100:
        return None
    return {"type": "build", "structure": "tower", "cells": [desk.random.choice(sites)]}


def build_road(desk: Desk) -> Proposal | None:
    """Between two own cities without a connection, over own land of their two regions."""
    board, cities = desk.board, desk.purse.cities
    if not desk.is_ready("build") or any(desk.game["jobs"][i] for i in cities):
        return None
    linked = {tuple(pair) for pair in desk.game["links"]}
    for i, b in enumerate(cities):
        for a in cities[:i]:
            near = board.topo.distance(board.cities[a], board.cities[b]) <= LONGEST_ROAD
            if near and (a, b) not in linked:
                missing = _road(desk, a, b)
                if missing:
                    return {"type": "build", "structure": "road", "cells": missing}
    return None


def _is_idle(desk: Desk, cell: int) -> bool:
    """The tile's city is own and builds nothing."""
    region = desk.purse.region(cell)
    return region in desk.purse.cities and not desk.game["jobs"][region]


def _road(desk: Desk, a: int, b: int) -> list[int]:
    """The tiles to build on; empty if no own land leads from one to the other."""
    board, topo = desk.board, desk.board.topo
    goal = set(board.ring(b))

    def is_way(cell: int) -> bool:
        road = board.codes[cell] >> STRUCTURE & 7 == ROAD and board.owner(cell) == board.me
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
