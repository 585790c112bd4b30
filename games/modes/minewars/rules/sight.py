"""The sight of every viewer: kept up to date tile by tile, never searched for.

Viewer 0 is the spectators, who own nothing and so see what all seats share. The level of a tile
for a viewer follows from its owner, from how many own tiles and towers have it in sight (`near`,
`watch`), from what was revealed, from being a city, and from explosions that lift a tile for
everybody. The tile's code for a viewer (`code`) is built up from its level.
"""

from __future__ import annotations

from .digits import digit_bits
from .state import State, is_land
from .tiles import (
    FLAG_BIT,
    FOG,
    FULL,
    HP,
    ITEM,
    LEVEL,
    LIMITED,
    MOUNTAIN,
    OWNER,
    PENDING,
    SHIELD_BIT,
    SKULL_BIT,
    SMOKE_BIT,
    STRUCTURE,
)


def gain(state: State, viewer: int, cells: tuple[int, ...]) -> None:
    """One more own tile or tower has these cells in sight."""
    near, kind = state.near[viewer], state.kind
    add = state.changes.tiles[viewer].add
    for cell in cells:
        count = near[cell]
        near[cell] = count + 1
        if not count:
            add(cell)
            if kind[cell] == MOUNTAIN:
                _cluster_seen(state, viewer, cell, 1)


def lose(state: State, viewer: int, cells: tuple[int, ...]) -> None:
    """One own tile or tower less has these cells in sight."""
    near, kind = state.near[viewer], state.kind
    add = state.changes.tiles[viewer].add
    for cell in cells:
        count = near[cell] - 1
        near[cell] = count
        if not count:
            add(cell)
            if kind[cell] == MOUNTAIN:
                _cluster_seen(state, viewer, cell, -1)


def _cluster_seen(state: State, viewer: int, cell: int, more: int) -> None:
    cluster = state.cluster[cell]
    assert cluster is not None
    before = cluster.seen[viewer]
    cluster.seen[viewer] = before + more
    if not before or not before + more:
        state.changes.tiles[viewer].update(cluster.tiles)


def level(state: State, viewer: int, cell: int) -> int:
    """Fog, Limited or Full."""
    if (
        (viewer and state.owner[cell] == viewer)
        or state.watch[viewer][cell]
        or cell in state.city_at
    ):
        return FULL
    if (
        state.near[viewer][cell]
        or cell in state.lifted
        or (
            state.kind[cell] == MOUNTAIN
            and (cluster := state.cluster[cell]) is not None
            and cluster.seen[viewer]
        )
    ):
        return FULL if cell in state.empires[viewer].revealed else LIMITED
    return FOG


def code(state: State, viewer: int, cell: int) -> int:
    """The tile as this viewer may know it now, as a tile code. Updates the code that was last seen;
    in fog, what was revealed of it is over."""
    seen = level(state, viewer, cell)
    empire = state.empires[viewer]
    found = SKULL_BIT if state.skull[cell] else 0
    if cell in empire.flags:
        found |= FLAG_BIT
    if seen == FOG:
        empire.revealed.discard(cell)
        return found | state.memory[viewer][cell]
    kind, owner = state.kind[cell], state.owner[cell]
    state.memory[viewer][cell] = kind
    found |= kind | seen << LEVEL | owner << OWNER
    if cell in state.shield:
        found |= SHIELD_BIT
    smoked = cell in state.smoke
    if smoked:
        found |= SMOKE_BIT
    if cell in state.structures:
        structure = state.structures[cell]
        found |= structure.kind << STRUCTURE | structure.hp << HP
    for job in state.pending.get(cell, ()):
        if seen == FULL or job.owner == viewer:
            found |= job.kind << PENDING
            break
    if seen == FULL:
        found |= state.item[cell] << ITEM
        if owner == viewer and owner and not smoked and is_land(state, cell):
            found |= digit_bits(state, viewer, cell)
    return found


def codes(state: State, viewer: int) -> list[int]:
    """The code of every tile. Most of a map is fog with nothing in it but the kind last seen."""
    near, kind, empire = state.near[viewer], state.kind, state.empires[viewer]
    marked = {cell for cell, skull in enumerate(state.skull) if skull}
    marked.update(state.city_at, state.lifted, empire.flags, empire.revealed)
    return [
        code(state, viewer, cell)
        if near[cell] or kind[cell] == MOUNTAIN or cell in marked
        else last_seen
        for cell, last_seen in enumerate(state.memory[viewer])
    ]
