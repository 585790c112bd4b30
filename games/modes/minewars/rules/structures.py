"""Structures: where each may stand, building it, giving it up."""

from __future__ import annotations

from games.engine.errors import IllegalAction

from .economy import earn, price, report
from .ground import add_structure, drop_job, remove_structure, set_kind, touch
from .regions import components
from .state import Job, State, Structure, is_land
from .tiles import BARRICADE, BRIDGE, FOUNDATION, IS_CLUSTER, MOUNTAIN, ROAD, TOWER, WATER


def build_price(state: State, kind: int, tiles: int) -> int:
    """Of the whole structure, or of all roads of one order. Only in own regions: no surcharge."""
    return price(state, state.rules.structure_cost(kind) * tiles, False)


# -- where it may stand --------------------------------------------------------------------------


def check_build(state: State, empire: int, kind: int, cells: tuple[int, ...]) -> None:
    if kind == BRIDGE:
        _check_one(cells)
        _check_bridge(state, empire, cells[0])
        return
    for cell in cells:
        _check_tile(state, empire, cell)
    if kind == BARRICADE:
        _check_barricade(state, empire, cells)
    elif kind == TOWER:
        _check_one(cells)
        _check_tower(state, empire, cells[0])


def _check_one(cells: tuple[int, ...]) -> None:
    if len(cells) != 1:
        raise IllegalAction("bad_site", "Towers and bridges take up one tile.")


def _check_tile(state: State, empire: int, cell: int) -> None:
    if state.owner[cell] != empire or not is_land(state, cell):
        raise IllegalAction("not_your_land", "That isn’t your land.")
    if not state.owns_region(empire, cell):
        raise IllegalAction("not_your_region", "You need to own that region’s city.")
    if state.item[cell] or cell in state.structures or cell in state.pending:
        raise IllegalAction("not_empty", "There’s already something there.")


def _check_barricade(state: State, empire: int, cells: tuple[int, ...]) -> None:
    """One piece of land that touches at least two mountain clusters, all of them own."""
    touched = {
        id(state.cluster[n]): state.owner[n]
        for cell in cells
        for n in state.topo.neighbours[cell]
        if state.kind[n] == MOUNTAIN
    }
    if (
        len(components(state.topo, cells)) > 1
        or len(touched) < 2
        or any(owner != empire for owner in touched.values())
    ):
        raise IllegalAction("bad_site", "A barricade must connect at least two of your mountains.")


def _check_tower(state: State, empire: int, cell: int) -> None:
    for n in state.topo.neighbours[cell]:
        if IS_CLUSTER[state.kind[n]] and state.owner[n] != empire:
            raise IllegalAction(
                "bad_site", "You must own the mountains and forests next to a tower."
            )


def _check_bridge(state: State, empire: int, cell: int) -> None:
    end = bridge_end(state, empire, cell)
    if end is None:
        raise IllegalAction(
            "bad_site", "A bridge needs water with land on two opposite sides, one of them yours."
        )
    if not state.owns_region(empire, end):
        raise IllegalAction(
            "not_your_region", "You need to own the city of your bridgehead’s region."
        )
    mine = any(job.owner == empire for job in state.pending.get(cell, ()))
    if mine or cell in state.structures:
        raise IllegalAction("not_empty", "There’s already something there.")


def bridge_end(state: State, empire: int, cell: int) -> int | None:
    """The empire's own land at an end of a bridge here: in an own region if there is one. None
    when no bridge of this empire can stand here."""
    if state.kind[cell] != WATER:
        return None
    ends = [
        end
        for pair in state.topo.opposites(cell)
        if is_land(state, pair[0]) and is_land(state, pair[1])
        for end in pair
        if state.owner[end] == empire
    ]
    return min(ends, key=lambda end: (not state.owns_region(empire, end), end), default=None)


# -- building ------------------------------------------------------------------------------------


def place(state: State, empire: int, kind: int, cells: tuple[int, ...]) -> None:
    """Ordered; the city of its (first) tile's region has it to build. Roads are one structure per
    tile."""
    for part in [(cell,) for cell in cells] if kind == ROAD else [cells]:
        head = bridge_end(state, empire, part[0]) if kind == BRIDGE else part[0]
        assert head is not None
        number = state.regions[head]
        city = state.cities[number]
        city.settle(state.now)
        # Paid as one order; each road carries its part of the price.
        paid = build_price(state, kind, len(cells)) * len(part) // len(cells)
        job = Job(kind, part, empire, paid * state.rules.work_percent // 100, paid)
        city.jobs.append(job)
        state.changes.jobs.add(number)
        state.changes.banks.add(number)
        for cell in part:
            state.pending.setdefault(cell, []).append(job)
            touch(state, cell)
            if kind != BRIDGE:
                set_kind(state, cell, FOUNDATION)


def work(state: State, number: int) -> None:
    """The city's first job is done; what it earned beyond that goes on to the next, or the bank."""
    city = state.cities[number]
    if city.finishes != state.now or not city.jobs:
        return
    city.settle(state.now)
    job = city.jobs[0]
    over = job.built - job.work
    if over < 0:  # in this very moment the job before it was dropped
        return
    drop_job(state, job)
    if city.jobs:
        city.jobs[0].built += over
    else:
        city.bank += over
    state.changes.banks.add(number)
    if job.kind == BRIDGE and (
        job.cells[0] in state.structures or bridge_end(state, job.owner, job.cells[0]) is None
    ):
        return
    hp = state.rules.structure_hp(job.kind)
    add_structure(state, Structure(job.kind, job.cells, hp, job.paid))


def own_job(state: State, empire: int, cell: int) -> Job | None:
    return next((job for job in state.pending.get(cell, ()) if job.owner == empire), None)


def check_cancel(state: State, empire: int, cell: int) -> None:
    if own_job(state, empire, cell) is None:
        raise IllegalAction("nothing_there", "You aren’t building anything there.")


def cancel(state: State, empire: int, cell: int) -> None:
    job = own_job(state, empire, cell)
    assert job is not None
    drop_job(state, job)
    home = cell if job.kind != BRIDGE else bridge_end(state, empire, cell)
    spent = min(job.built, job.work) if state.rules.pay_as_built else job.paid
    _refund(
        state,
        empire,
        cell if home is None else home,
        job.cells,
        spent * state.rules.cancel_percent // 100,
    )


def _refund(state: State, empire: int, home: int, cells: tuple[int, ...], amount: int) -> None:
    city = earn(state, empire, home, amount)
    if city is not None and amount:
        report(state, empire, "refunded", cells, city, amount)


def check_bulldoze(state: State, empire: int, cell: int) -> None:
    if state.owner[cell] != empire or cell not in state.structures:
        raise IllegalAction("nothing_there", "You have no structure there.")


def bulldoze(state: State, empire: int, cell: int) -> None:
    structure = state.structures[cell]
    remove_structure(state, structure)
    back = structure.paid * state.rules.bulldoze_percent // 100
    _refund(state, empire, cell, structure.cells, back)
