"""Capturing land: one tile, and through known empty land by itself."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.errors import IllegalAction

from .digits import is_zero
from .ground import set_item, set_owner, touch
from .items import blind, step_on_mine
from .state import State, is_land
from .tiles import BARRICADE, BRIDGE, DECOY, FLASHBANG, IS_CLUSTER, MINE, TOWER, WATER


def check_capture(state: State, empire: int, cell: int, t: int) -> None:
    if state.owner[cell] == empire:
        if _opens(state, empire, cell, t):
            return
        raise IllegalAction("already_yours", "That tile is already yours.")
    if not _is_beside(state, empire, cell) and not _across(state, empire, cell):
        raise IllegalAction(
            "not_adjacent", "Capture a tile next to your land or across a bridge from it."
        )
    if state.kind[cell] == WATER:
        raise IllegalAction("not_land", "Nobody can own water.")
    if IS_CLUSTER[state.kind[cell]] or cell in state.city_at:
        raise IllegalAction("surround_it", "Hold all the land around it to take it.")
    structure = state.structures.get(cell)
    if structure is not None and structure.kind in (BARRICADE, TOWER):
        raise IllegalAction("surround_it", "Hold all the land around it to take it.")
    if cell in state.shield:
        raise IllegalAction("protected", "That tile has just been captured and is still protected.")


def _is_beside(state: State, empire: int, cell: int) -> bool:
    """Is there own land beside this tile? An own city is enough where the tile is nobody's."""
    owner = state.owner
    cities = state.rules.capture_from_cities or not owner[cell]
    return any(
        owner[n] == empire and (cities or n not in state.city_at)
        for n in state.topo.neighbours[cell]
    )


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
    others = overrun(state, state.now)
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
    """Capture the neutral land around own digits that became 0 by changes to these tiles, where the
    rules say so. Returns what was captured."""
    if not state.rules.expand_always:
        return []
    neighbours = state.topo.neighbours
    around = {n for cell in cells for n in (cell, *neighbours[cell])}
    return expand(state, empire, sorted(around), 0)


def overrun(state: State, t: int) -> int:
    """The most tiles of others that the expansion of a capture at match time t takes."""
    if state.rules.expand_over_others:
        return state.topo.size
    return state.rules.late_overrun if state.is_late(t) else 0


def _opens(state: State, empire: int, cell: int, t: int) -> bool:
    """Would a capture of this own tile take something around it?"""
    others = overrun(state, t) > 0
    return (
        state.rules.expand_always
        and is_zero(state, empire, cell)
        and any(_expands_to(state, empire, n, others) for n in state.topo.neighbours[cell])
    )


def expand(state: State, empire: int, origins: Iterable[int], others: int) -> list[int]:
    """Capture everything around own tiles that show a 0, from these tiles on, but for the empire's
    flags, protected land, what can only be surrounded, and more than `others` tiles of others; in
    the late phase a tile of a smaller empire counts as several."""
    owner, neighbours = state.owner, state.topo.neighbours
    zeros = [cell for cell in origins if owner[cell] == empire and is_zero(state, empire, cell)]
    taken: list[int] = []
    for zero in zeros:
        for n in neighbours[zero]:
            if owner[n] != empire and _expands_to(state, empire, n, others > 0):
                if owner[n]:
                    others -= _weight(state, empire, owner[n])
                set_owner(state, n, empire)
                taken.append(n)
                if is_zero(state, empire, n):
                    zeros.append(n)
    return taken


def _weight(state: State, empire: int, other: int) -> int:
    """As how many tiles one of this other empire counts when it is overrun."""
    rules, late = state.rules, state.late
    if late is None or state.now >= late + rules.late_smaller_seconds * 1000:
        return 1
    return rules.late_smaller if state.census[other] < state.census[empire] else 1


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
