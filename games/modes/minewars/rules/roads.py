"""Road connections between own cities."""

from __future__ import annotations

from .economy import own_cities
from .state import State
from .tiles import BRIDGE, ROAD


def find_links(state: State, empire: int) -> frozenset[tuple[int, int]]:
    """The pairs of own cities with a path of own roads between them, within their two regions.
    A bridge between roads is part of the path, whoever built it."""
    mine = own_cities(state, empire)
    roads = {
        cell
        for cell, structure in state.structures.items()
        if structure.kind == ROAD and state.owner[cell] == empire
    }
    if not roads:
        return frozenset()
    bridges = {
        cell
        for cell, structure in state.structures.items()
        if structure.kind == BRIDGE and state.rules.roads_cross_bridges
    }
    return frozenset(
        (a, b)
        for i, b in enumerate(mine)
        for a in mine[:i]
        if _is_linked(state, a, b, bridges | {c for c in roads if state.regions[c] in (a, b)})
    )


def _is_linked(state: State, a: int, b: int, roads: set[int]) -> bool:
    neighbours = state.topo.neighbours
    goal = set(neighbours[state.cities[b].cell])
    reached = [cell for cell in neighbours[state.cities[a].cell] if cell in roads]
    left = roads.difference(reached)
    for at in reached:
        if at in goal:
            return True
        found = left.intersection(neighbours[at])
        left -= found
        reached += found
    return False
