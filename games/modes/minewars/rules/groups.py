"""Taking by surrounding: clusters, land with items, barricades and towers.

Such tiles that touch each other form one group. An empire that holds all safe land around a group
takes all of it at once. Called after every change of an owner, kind, item or structure."""

from __future__ import annotations

from .economy import earn, price, report
from .ground import set_item, set_owner
from .land import open_up, protect
from .state import State, is_land
from .tiles import NOBODY


def settle(state: State) -> set[int]:
    """Everything that follows from what changed: clusters lost, then groups taken. Returns all
    tiles that got a new owner."""
    changes = state.changes
    moved: set[int] = set()
    while changes.owners or changes.altered:
        while changes.owners:
            cell = changes.owners.pop()
            moved.add(cell)
            _lose_clusters(state, cell)
            _take_where_complete(state, cell, {state.owner[cell]})
        while changes.altered:
            cell = changes.altered.pop()
            around = (cell, *state.topo.neighbours[cell])
            _take_where_complete(state, cell, {state.owner[n] for n in around})
    return moved


def _lose_clusters(state: State, cell: int) -> None:
    """Land that is another's now costs the owners of adjacent clusters these clusters."""
    owner = state.owner
    new = owner[cell]
    if new == NOBODY or not is_land(state, cell):
        return
    for n in state.topo.neighbours[cell]:
        cluster = state.cluster[n]
        if cluster is not None and owner[n] not in (NOBODY, new):
            for tile in cluster.tiles:
                set_owner(state, tile, NOBODY)


def _take_where_complete(state: State, cell: int, empires: set[int]) -> None:
    """A change of this tile can complete groups for these empires. A tile that is itself of a
    group can do so for anybody: who holds the land around the group may be far from this tile."""
    for empire in state.alive() if state.hard[cell] else sorted(empires - {NOBODY}):
        _take_around(state, empire, cell)


def _take_around(state: State, empire: int, cell: int) -> None:
    hard, owner = state.hard, state.owner
    for n in (cell, *state.topo.neighbours[cell]):
        if hard[n] and owner[n] != empire:
            group = surrounded(state, empire, n)
            if group is not None:
                _take(state, empire, group)


def surrounded(state: State, empire: int, first: int) -> list[int] | None:
    """The group of this tile, if the empire holds all safe land around it. A group with a
    protected tile cannot be taken yet."""
    hard, owner, neighbours = state.hard, state.owner, state.topo.neighbours
    group = [first]
    seen = {first}
    held = False
    for at in group:
        if at in state.shield:
            return None
        for n in neighbours[at]:
            if owner[n] == empire:
                held = True
            elif hard[n]:
                if n not in seen:
                    seen.add(n)
                    group.append(n)
            elif is_land(state, n):
                return None
    return group if held else None


def _take(state: State, empire: int, group: list[int]) -> None:
    """The land is captured, items are sold, clusters and structures change hands."""
    sale = state.rules.item_sale_percent
    land: list[int] = []
    sold: dict[int, list[tuple[int, int]]] = {}
    for cell in sorted(group):
        item = state.item[cell]
        if item:
            # The list price, without the surcharge of foreign regions.
            listed = price(state, state.rules.item_cost(item), False)
            city = earn(state, empire, cell, listed * sale // 100)
            if city is not None:
                sold.setdefault(city, []).append((cell, listed * sale // 100))
        set_owner(state, cell, empire)
        set_item(state, cell, 0)
        if is_land(state, cell):
            land.append(cell)
    for city, sales in sold.items():
        cells, amounts = zip(*sales, strict=True)
        report(state, empire, "sold", cells, city, sum(amounts))
    protect(state, [*land, *open_up(state, empire, group)])
