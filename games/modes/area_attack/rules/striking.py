"""Effects of a mine: the freeze, and the regeneration of the cells around it."""

from __future__ import annotations

from games.engine.game import ONLY, Addressed, Event
from games.engine.rng import derive, threshold

from .seeing import look
from .state import ATTACK, DEFAULT, EXPOSED, FREE, Freeze, State, who_hears


def strike(state: State, seat: int, cell: int, t: int) -> list[Addressed]:
    """A player claimed a mine. Stage 1 freezes, stage 2 regenerates, stage 3 does both."""
    state.struck[seat] += 1
    until = None if state.stage == ATTACK else t + state.options.freeze_seconds * 1000
    struck: Event = {"type": "struck", "seat": seat, "cell": cell, "until": until}
    out = [Addressed(state.hearing, struck)]
    if until is not None:
        for other in state.freezes:
            if other is not None:
                other.missed.append({"seat": seat, "cell": cell})
        freeze = Freeze(until, cell, mine=True, held={})
        state.freezes[seat] = freeze
        freeze.held = look(state, seat)
        state.hearing = who_hears(state)
    if state.stage != DEFAULT:
        out += regenerate(state, cell)
    return out


def thaw(state: State, seat: int) -> list[Addressed]:
    """The freeze ends: its mine is exposed for everyone, and the player catches up."""
    freeze = state.freezes[seat]
    assert freeze is not None
    exposed = freeze.cell if freeze.mine and state.owners[freeze.cell] == FREE else None
    if exposed is not None:
        state.owners[exposed] = EXPOSED
        for flags in state.flags:
            flags.discard(exposed)
    state.freezes[seat] = None
    thawed: Event = {"type": "thawed", "seat": seat, "exposed": exposed}
    out = [Addressed(state.hearing, thawed)]
    state.hearing = who_hears(state)
    now = look(state, seat)
    known, cells = freeze.held["cells"], now["cells"]
    changed = [cell for cell, code in enumerate(cells) if code != known[cell]]
    caught_up: Event = {
        "type": "caught_up",
        "cells": changed,
        "codes": [cells[cell] for cell in changed],
        "strikes": freeze.missed,
        **{key: now[key] for key in ("areas", "struck", "frozen", "stage", "ends")},
    }
    out.append(Addressed(ONLY[seat], caught_up))
    return out


def region(state: State, centre: int) -> list[int]:
    """The square of `attack_radius` around a cell, as far as it is on the board, row by row."""
    x, y = state.grid.coords(centre)
    reach, size = state.options.attack_radius, state.options.size
    columns = range(max(0, x - reach), min(size, x + reach + 1))
    rows = range(max(0, y - reach), min(size, y + reach + 1))
    return [row * size + column for row in rows for column in columns]


def regenerate(state: State, centre: int) -> list[Addressed]:
    """The region becomes unowned and hidden, and its mines are rolled anew: the stream `regen:k`
    of the k-th regeneration (from 0) gives a `chance` for each cell but the centre, row by row.
    The struck mine itself goes: the centre is safe."""
    cells = region(state, centre)
    inside = set(cells)
    neighbours, owners, numbers = state.grid.neighbours, state.owners, state.numbers
    rim = {
        near: numbers[near]
        for cell in cells
        for near in neighbours[cell]
        if near not in inside and owners[near] < FREE
    }
    for cell in cells:
        owner = owners[cell]
        if owner < FREE:
            state.areas[owner] -= 1
        owners[cell] = FREE
    for flags in state.flags:
        flags -= inside
    for freeze in state.freezes:
        if freeze is not None and freeze.cell in inside:
            freeze.mine = False
    _roll(state, cells, centre)
    changes: dict[int, tuple[list[int], list[int]]] = {}
    for cell, before in rim.items():
        if numbers[cell] != before:
            own_rim, own_numbers = changes.setdefault(owners[cell], ([], []))
            own_rim.append(cell)
            own_numbers.append(numbers[cell])
    event: Event = {
        "type": "regenerated",
        "cell": centre,
        "cells": cells,
        "areas": list(state.areas),
        "rim": [],
        "numbers": [],
    }
    out = [Addressed(state.hearing - frozenset(changes), event)]
    for seat, (own_rim, own_numbers) in changes.items():
        if seat in state.hearing:
            own: Event = {**event, "rim": own_rim, "numbers": own_numbers}
            out.append(Addressed(ONLY[seat], own))
    return out


def _roll(state: State, cells: list[int], centre: int) -> None:
    rng = derive(state.setup.seed, f"regen:{state.regenerations}")
    state.regenerations += 1
    limit = threshold(state.options.density)
    mines, numbers, neighbours = state.mines, state.numbers, state.grid.neighbours
    for cell in cells:
        mine = 0 if cell == centre else int(rng.chance(limit))
        change = mine - mines[cell]
        if change:
            mines[cell] = mine
            state.safe -= change
            for near in neighbours[cell]:
                numbers[near] += change
