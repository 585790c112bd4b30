"""Items and explosions: what they do to the one who steps on them, and to the ground."""

from __future__ import annotations

from heapq import heapify

from games.engine.game import ALL, Addressed, Event
from games.engine.rng import derive

from .broadcast import tell_all
from .economy import own_cities
from .ground import drop_job, remove_structure, set_item, set_kind, touch
from .sight import level
from .state import State, Structure, is_land
from .tiles import DECOY, DESTROYED, FOG, MINE, NOBODY


def scatter(state: State) -> None:
    """Mines and decoys over the neutral land, drawn from the seed."""
    free = [c for c in range(state.topo.size) if is_land(state, c) and not state.owner[c]]
    mines = len(free) * state.rules.mine_percent // 100
    decoys = len(free) * state.rules.decoy_percent // 100
    drawn = derive(state.setup.seed, "items").sample(len(free), mines + decoys)
    for i, place in enumerate(drawn):
        set_item(state, free[place], MINE if i < mines else DECOY)


def explode(state: State, cells: tuple[int, ...], cause: str, by: int) -> None:
    """An explosion on each of these tiles: items, smoke and what was revealed are gone, structures
    are damaged, land without a structure is destroyed."""
    _tell_explosion(state, cells, cause, by)
    for cell in cells:
        for empire in state.empires:
            empire.revealed.discard(cell)
        state.smoke.pop(cell, None)
        for job in list(state.pending.get(cell, ())):
            drop_job(state, job)
        hit = state.structures.get(cell)
        beside = {state.structures.get(n) for n in state.topo.neighbours[cell]} - {hit, None}
        for structure in sorted(beside, key=_first_cell):
            _damage(state, structure, state.rules.damage_beside)
        if hit is not None:
            _damage(state, hit, state.rules.damage_there)
        elif is_land(state, cell):
            set_kind(state, cell, DESTROYED)
        set_item(state, cell, 0)
        touch(state, cell)


def _tell_explosion(state: State, cells: tuple[int, ...], cause: str, by: int) -> None:
    """Tell those who see a tile of it its place and its cause; others hear a tremor. Everybody
    knows who stepped on a mine, but nobody else who ordered a strike."""
    events = state.changes.events
    if not state.rules.seen_explosions:
        events.append(Addressed(ALL, {"type": "exploded", "cells": list(cells)}))
        return
    public = by if cause == "mine" else NOBODY
    for empire in state.alive():
        told: Event = {"type": "tremor"}
        if seen := [cell for cell in cells if level(state, empire, cell) != FOG]:
            who = by if empire == by else public
            told = {"type": "exploded", "cells": seen, "cause": cause, "by": who}
        events.append(Addressed(state.audience[empire], told))
    aired = {"type": "exploded", "cells": list(cells), "cause": cause, "by": public}
    state.changes.aired.append(aired)


def _first_cell(structure: Structure | None) -> int:
    return structure.cells[0] if structure is not None else -1


def _damage(state: State, structure: Structure | None, damage: int) -> None:
    if structure is None:
        return
    structure.hp = max(0, structure.hp - damage)
    for cell in structure.cells:
        touch(state, cell)
    if not structure.hp:
        remove_structure(state, structure)


def step_on_mine(state: State, victim: int, cell: int) -> None:
    """It explodes and stuns; a skull stays; everybody is told and sees the tile for a while."""
    by = state.owner[cell]
    until = state.now + state.rules.lift_ms
    state.lifted[cell] = until
    explode(state, (cell,), "mine", victim)
    state.skull[cell] = 1
    state.add_timer(until, "unlift", cell)
    touch(state, cell)
    state.empires[victim].deaths += 1
    state.changes.scores.add(victim)
    if by:
        state.empires[by].kills += 1
        state.changes.scores.add(by)
    _stun(state, victim)
    told = {
        "type": "killed",
        "cell": cell,
        "victim": victim,
        "by": by,
        "until": state.empires[victim].stunned,
        "pause": state.rules.stun_ms,
    }
    tell_all(state, told)


def _stun(state: State, empire: int) -> None:
    """No actions, cities pause, and what was ordered waits as long."""
    pause = state.rules.stun_ms
    until = state.now + pause
    state.empires[empire].stunned = until
    state.add_timer(until, "awake", empire)
    state.changes.rates.update(own_cities(state, empire))
    seats = {seat for seat, e in enumerate(state.empire_of) if e == empire}
    for seat in seats:
        for order in state.commanders[seat].orders.values():
            order.due += pause
    state.timers = [
        (at + pause, serial, what, args)
        if what == "order" and args[0] in seats
        else (at, serial, what, args)
        for at, serial, what, args in state.timers
    ]
    heapify(state.timers)


def awake(state: State, empire: int) -> None:
    if state.empires[empire].stunned == state.now:
        state.changes.rates.update(own_cities(state, empire))


def blind(state: State, victim: int, cell: int, by: int) -> None:
    """The victim's digits next to others' tiles are nonsense for a while; everybody is told."""
    empire = state.empires[victim]
    empire.blind = state.now + state.rules.blind_ms
    empire.blindings += 1
    state.add_timer(empire.blind, "unblind", victim)
    _show_digits_anew(state, victim)
    told = {"type": "flashed", "cell": cell, "victim": victim, "by": by, "until": empire.blind}
    tell_all(state, told)


def unblind(state: State, empire: int) -> None:
    if state.empires[empire].blind == state.now:
        _show_digits_anew(state, empire)


def _show_digits_anew(state: State, empire: int) -> None:
    owner = state.owner
    state.changes.tiles[empire].update(c for c in range(state.topo.size) if owner[c] == empire)


def smoke(state: State, cell: int) -> None:
    """Its digit is hidden from its owner for a while."""
    if state.owner[cell] == NOBODY:
        return
    until = state.now + state.rules.smoke_ms
    state.smoke[cell] = until
    state.add_timer(until, "clear", cell)
    touch(state, cell)


def clear_smoke(state: State, cell: int) -> None:
    if state.smoke.get(cell) == state.now:
        del state.smoke[cell]
        touch(state, cell)


def unlift(state: State, cell: int) -> None:
    if state.lifted.get(cell) == state.now:
        del state.lifted[cell]
        touch(state, cell)
