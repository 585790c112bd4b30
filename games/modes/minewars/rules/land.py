"""Capturing land: one tile, and through known empty land by itself."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.errors import IllegalAction

from .digits import is_zero
from .ground import set_item, set_owner, touch
from .items import blind, step_on_mine
from .state import State, is_land
from .tiles import BARRICADE, BRIDGE, DECOY, FLASHBANG, IS_CLUSTER, MINE, TOWER, WATER


def check_capture(state: State, empire: int, cell: int) -> None:
    owner = state.owner
    if owner[cell] == empire:
        if _opens(state, empire, cell):
            return
        raise IllegalAction("already_yours", "That tile is yours already.")
    if not any(owner[n] == empire for n in state.topo.neighbours[cell]) and not _across(
        state, empire, cell
    ):
        raise IllegalAction("not_adjacent", "Capture a tile next to yours, or across a bridge.")
    if state.kind[cell] == WATER:
        raise IllegalAction("not_land", "Nobody can own water.")
    if IS_CLUSTER[state.kind[cell]] or cell in state.city_at:
        raise IllegalAction("surround_it", "Hold all land around it to take it.")
    structure = state.structures.get(cell)
    if structure is not None and structure.kind in (BARRICADE, TOWER):
        raise IllegalAction("surround_it", "Hold all land around it to take it.")
    if cell in state.shield:
        raise IllegalAction("protected", "That tile was captured just now and is protected.")


def _across(state: State, empire: int, cell: int) -> bool:
    """Is there a finished bridge beside this tile with an own tile on another side of it?"""
    owner, neighbours = state.owner, state.topo.neighbours
    return any(
        owner[end] == empire
        for n in neighbours[cell]
        if (built := state.structures.get(n)) is not None and built.kind == BRIDGE
        for end in neighbours[n]
    )


def capture(state: State, empire: int, cell: int) -> None:
    """Step on this tile. An item on it acts; else, or after it, the tile is captured and known
    empty land around is captured with it. An own tile opens around itself."""
    others = state.rules.expand_over_others
    if state.owner[cell] == empire:
        protect(state, expand(state, empire, (cell,), others))
        return
    item = state.item[cell]
    if item == MINE:
        step_on_mine(state, empire, cell)
        return
    if item in (DECOY, FLASHBANG):
        by = state.owner[cell]
        set_item(state, cell, 0)
        if item == FLASHBANG:
            blind(state, empire, cell, by)
    set_owner(state, cell, empire)
    protect(state, [cell, *expand(state, empire, (cell, *state.topo.neighbours[cell]), others)])


def open_up(state: State, empire: int, cells: Iterable[int]) -> list[int]:
    """What an empire did to these tiles may have made own digits 0: neutral land around them is
    captured by itself, where the rules say so. Returns what was captured."""
    if not state.rules.expand_always:
        return []
    neighbours = state.topo.neighbours
    around = {n for cell in cells for n in (cell, *neighbours[cell])}
    return expand(state, empire, sorted(around), False)


def _opens(state: State, empire: int, cell: int) -> bool:
    """Would a capture of this own tile take something around it?"""
    others = state.rules.expand_over_others
    return (
        state.rules.expand_always
        and is_zero(state, empire, cell)
        and any(_expands_to(state, empire, n, others) for n in state.topo.neighbours[cell])
    )


def expand(state: State, empire: int, origins: Iterable[int], others: bool) -> list[int]:
    """Capture everything around own tiles that show a 0, from these tiles on, but for the empire's
    flags, protected land, what can only be surrounded, and others' land unless `others`."""
    owner, neighbours = state.owner, state.topo.neighbours
    zeros = [cell for cell in origins if owner[cell] == empire and is_zero(state, empire, cell)]
    taken: list[int] = []
    for zero in zeros:
        for n in neighbours[zero]:
            if owner[n] != empire and _expands_to(state, empire, n, others):
                set_owner(state, n, empire)
                taken.append(n)
                if is_zero(state, empire, n):
                    zeros.append(n)
    return taken


def _expands_to(state: State, empire: int, cell: int, others: bool) -> bool:
    owner = state.owner[cell]
    return (
        owner != empire
        and (others or not owner)
        and not state.hard[cell]
        and cell not in state.shield
        and cell not in state.empires[empire].flags
        and is_land(state, cell)
    )


def protect(state: State, cells: list[int]) -> None:
    """Nobody else can capture these for a while."""
    if cells:
        until = state.now + state.rules.protected_ms
        for cell in cells:
            state.shield[cell] = until
        state.add_timer(until, "unprotect", *cells)


def unprotect(state: State, cells: tuple[int, ...]) -> None:
    """The protection of these ends, unless they were captured anew since."""
    for cell in cells:
        if state.shield.get(cell) == state.now:
            del state.shield[cell]
            touch(state, cell)
            state.changes.altered.append(cell)
