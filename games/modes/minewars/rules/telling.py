"""Compares what each viewer was last told with the present state: tiles with the ends of what lasts
on them, and sieges."""

from __future__ import annotations

from typing import Final

from games.engine.game import Addressed, Event

from .scores import shown_score
from .sight import code
from .state import State, Told
from .tiles import LEVEL, SHIELD_BIT, SMOKE_BIT

LASTING: Final = SHIELD_BIT | SMOKE_BIT


def derive_told(state: State) -> None:
    """As if everybody had been told everything."""
    state.told = [Told() for _ in state.empires]
    if not state.rules.full_reports:
        return
    for viewer, (told, known) in enumerate(zip(state.told, state.known, strict=True)):
        told.protected = {c: state.shield[c] for c in state.shield if known[c] & SHIELD_BIT}
        told.smoke = {c: state.smoke[c] for c in state.smoke if known[c] & SMOKE_BIT}
        told.scores = [shown_score(state, viewer, e) for e in range(1, len(state.empires))]
        told.sieges = seen_sieges(state, viewer)


def tell_tiles(state: State, viewer: int, touched: set[int], out: list[Addressed]) -> None:
    known = state.known[viewer]
    tiles: list[int] = []
    lasting: list[int] = []
    for cell in sorted(touched):
        now, before = code(state, viewer, cell), known[cell]
        if (now | before) & LASTING:
            lasting.append(cell)
        if now != before:
            known[cell] = now
            tiles += (cell, now)
    event: Event = {"type": "tiles", "tiles": tiles}
    if lasting and state.rules.full_reports:
        told = state.told[viewer]
        if ends := _new_ends(known, lasting, SHIELD_BIT, state.shield, told.protected):
            event["protected"] = ends
        if ends := _new_ends(known, lasting, SMOKE_BIT, state.smoke, told.smoke):
            event["smoke"] = ends
    if tiles or len(event) > 2:
        out.append(Addressed(state.audience[viewer], event))


def _new_ends(
    known: list[int], cells: list[int], bit: int, ends: dict[int, int], told: dict[int, int]
) -> list[int]:
    """Cell, end, cell, end, ... for those of these cells that have another end than told."""
    new: list[int] = []
    for cell in cells:
        if not known[cell] & bit:
            told.pop(cell, None)
        elif told.get(cell) != ends[cell]:
            told[cell] = ends[cell]
            new += (cell, ends[cell])
    return new


def seen_sieges(state: State, viewer: int) -> dict[int, tuple[int, int]]:
    """The sieges that a player's empire lays or suffers, or sees all around the city."""
    if not viewer or state.empires[viewer].out is not None:
        return {}
    known = state.known[viewer]
    return {
        number: (city.siege, city.falls)
        for number, city in enumerate(state.cities)
        if city.siege
        and (
            viewer in (city.siege, state.owner[city.cell])
            or all(known[n] >> LEVEL & 3 for n in state.topo.neighbours[city.cell])
        )
    }


def tell_sieges(state: State, out: list[Addressed]) -> None:
    under_way = any(city.siege for city in state.cities)
    for viewer in state.alive():
        told = state.told[viewer].sieges
        if not under_way and not told:
            continue
        now = state.told[viewer].sieges = seen_sieges(state, viewer)
        for city in sorted(now.keys() | told.keys()):
            if now.get(city) != told.get(city):
                by, falls = now.get(city, (0, 0))
                event = {"type": "siege", "city": city, "by": by, "falls": falls}
                out.append(Addressed(state.audience[viewer], event))
