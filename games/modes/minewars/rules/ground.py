"""The only places where a tile's owner, kind, item or structure changes.

Each keeps everything derived in step and notes what has to be told and looked at afterwards.
"""

from __future__ import annotations

from . import sight
from .regions import components
from .state import Cluster, Job, State, Structure
from .tiles import (
    BRIDGE,
    DESTROYED,
    IS_CLUSTER,
    MOUNTAIN,
    ROAD,
    TOWER,
    WATER,
)


def set_owner(state: State, cell: int, empire: int) -> None:
    old = state.owner[cell]
    if old == empire:
        return
    changes, topo = state.changes, state.topo
    state.owner[cell] = empire
    disc = topo.disc(cell, state.rules.sight_radius)
    region, yields = state.regions[cell], state.incomes[state.kind[cell]]
    for who, more, see in ((old, -1, sight.lose), (empire, 1, sight.gain)):
        if who:
            see(state, who, disc)
            one = state.empires[who]
            one.tiles += more
            one.worth[region] += more * yields
            changes.scores.add(who)
    changes.rates.add(region)
    state.shield.pop(cell, None)
    digits = state.item[cell] > 0
    for one, tiles in zip(state.empires, changes.tiles, strict=True):
        tiles.add(cell)
        one.revealed.discard(cell)
        digits = digits or one.blind > state.now
    if digits:
        _digits_around(state, cell)
    structure = state.structures.get(cell)
    if structure is not None:
        if structure.kind == TOWER:
            watch(state, old, cell, -1)
            watch(state, empire, cell, 1)
        elif structure.kind == ROAD:
            changes.roads.update((old, empire))
    for job in list(state.pending.get(cell, ())):
        if job.owner != empire and job.kind != BRIDGE:
            drop_job(state, job)
    changes.owners.append(cell)


def set_kind(state: State, cell: int, kind: int) -> None:
    old = state.kind[cell]
    if old == kind:
        return
    state.kind[cell] = kind
    owner, region = state.owner[cell], state.regions[cell]
    if owner:
        state.empires[owner].worth[region] += state.incomes[kind] - state.incomes[old]
        state.changes.rates.add(region)
    if IS_CLUSTER[old]:
        _split_cluster(state, cell)
    _altered(state, cell)


def set_item(state: State, cell: int, item: int) -> None:
    if state.item[cell] == item:
        return
    state.item[cell] = item
    _digits_around(state, cell)
    _altered(state, cell)


def add_structure(state: State, structure: Structure) -> None:
    for cell in structure.cells:
        state.structures[cell] = structure
        if structure.kind == TOWER:
            watch(state, state.owner[cell], cell, 1)
        elif structure.kind == ROAD:
            state.changes.roads.add(state.owner[cell])
        elif structure.kind == BRIDGE:
            state.changes.roads.update(state.alive())
        _altered(state, cell)


def remove_structure(state: State, structure: Structure) -> None:
    """Remove a structure: on land it leaves destroyed land; under a bridge there is water as
    before."""
    for cell in structure.cells:
        del state.structures[cell]
        if structure.kind == TOWER:
            watch(state, state.owner[cell], cell, -1)
        elif structure.kind == ROAD:
            state.changes.roads.add(state.owner[cell])
        elif structure.kind == BRIDGE:
            state.changes.roads.update(state.alive())
        if state.kind[cell] != WATER:
            set_kind(state, cell, DESTROYED)
        _altered(state, cell)


def drop_job(state: State, job: Job) -> None:
    """This structure is not going to be built; what was paid is gone."""
    for cell in job.cells:
        jobs = state.pending.get(cell)
        if jobs and job in jobs:
            jobs.remove(job)
            if not jobs:
                del state.pending[cell]
        touch(state, cell)
    for number, city in enumerate(state.cities):
        for i, waiting in enumerate(city.jobs):
            if waiting is job:
                city.settle(state.now)
                del city.jobs[i]
                state.changes.jobs.add(number)
                state.changes.rates.add(number)
                return


def touch(state: State, cell: int) -> None:
    """This tile may look different to anybody."""
    for tiles in state.changes.tiles:
        tiles.add(cell)


def measure_hard(state: State, cell: int) -> None:
    structure = state.structures.get(cell)
    state.hard[cell] = (
        IS_CLUSTER[state.kind[cell]]
        or state.item[cell] != 0
        or (structure is not None and structure.kind not in (ROAD, BRIDGE))
    )


def _altered(state: State, cell: int) -> None:
    measure_hard(state, cell)
    touch(state, cell)
    state.changes.altered.append(cell)


def _digits_around(state: State, cell: int) -> None:
    owner, tiles = state.owner, state.changes.tiles
    for n in state.topo.neighbours[cell]:
        if owner[n]:
            tiles[owner[n]].add(n)


def watch(state: State, empire: int, cell: int, more: int) -> None:
    """An own tower begins (1) or ceases (-1) to watch around it."""
    if not empire:
        return
    disc = state.topo.disc(cell, state.rules.tower_radius)
    watched = state.watch[empire]
    for seen in disc:
        watched[seen] += more
    state.changes.tiles[empire].update(disc)
    (sight.gain if more > 0 else sight.lose)(state, empire, disc)


def _split_cluster(state: State, cell: int) -> None:
    """This tile no longer belongs to its cluster; what is left may fall apart."""
    cluster = state.cluster[cell]
    assert cluster is not None
    state.cluster[cell] = None
    rest = [other for other in cluster.tiles if other != cell]
    for piece in components(state.topo, rest):
        add_cluster(state, cluster.kind, piece)
    for tiles in state.changes.tiles:
        tiles.update(cluster.tiles)


def add_cluster(state: State, kind: int, tiles: tuple[int, ...]) -> None:
    seen = [0] * len(state.empires)
    if kind == MOUNTAIN:
        seen = [sum(near[cell] > 0 for cell in tiles) for near in state.near]
    cluster = Cluster(kind, tiles, seen)
    for cell in tiles:
        state.cluster[cell] = cluster
