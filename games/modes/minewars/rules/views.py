"""All that leaves the engine: events after every change, whole views, and the fold from one to the
other."""

from __future__ import annotations

from typing import Any, Final

from games.engine.game import ALL, Addressed, Event, View, Viewer

from . import cities, groups
from .broadcast import exact_score, send
from .economy import update_rates
from .roads import find_links
from .scores import tell_scores
from .state import City, Commander, State
from .telling import tell_sieges, tell_tiles
from .tiles import (
    FULL,
    HP,
    ITEM,
    LEVEL,
    NO_REGION,
    NOBODY,
    OWNER,
    PENDING,
    SHIELD_BIT,
    SKULL_BIT,
    SMOKE_BIT,
    STRUCTURE,
)

_LETTERS: Final = bytes(ord(".") if r == NO_REGION else (97 + r) % 128 for r in range(256))
"""Regions as letters: a is city 0."""

# -- events --------------------------------------------------------------------------------------


def flush(state: State) -> list[Addressed]:
    """Work out what follows from the changes, and tell every viewer exactly what is different in
    what it may know: at most one event of a type for each, none for those to whom nothing is."""
    changes = state.changes
    if changes.owners or changes.altered:
        cities.update_sieges(state, groups.settle(state))
    if changes.rates or changes.jobs:
        update_rates(state)
    out, changes.events = changes.events, []
    if state.rules.broadcast:
        send(state, changes.tiles[0], changes.scores, out)
        changes.tiles[0].clear()
    for viewer, touched in enumerate(changes.tiles):
        if touched and state.audience[viewer]:
            tell_tiles(state, viewer, touched, out)
        touched.clear()
    if state.rules.full_reports:
        tell_sieges(state, out)
        out += tell_scores(state, sorted(changes.scores))
        changes.scores.clear()
    if changes.scores:
        rows = [[e, *exact_score(state, e)] for e in sorted(changes.scores)]
        out.append(Addressed(ALL, {"type": "scores", "scores": rows}))
        changes.scores.clear()
    for number, loser in changes.lost:
        if state.audience[loser]:
            out.append(Addressed(state.audience[loser], {"type": "city_lost", "city": number}))
    changes.lost.clear()
    if changes.banks or changes.jobs:
        for number in sorted(changes.banks | changes.jobs):
            _tell_city(state, number, number in changes.jobs, out)
        changes.banks.clear()
        changes.jobs.clear()
    if changes.roads:
        for empire in sorted(changes.roads - {NOBODY}):
            _tell_links(state, empire, out)
        changes.roads.clear()
    return out


def _tell_city(state: State, number: int, jobs: bool, out: list[Addressed]) -> None:
    owner = state.city_owner(number)
    if not owner:
        return
    city, to = state.cities[number], state.audience[owner]
    out.append(Addressed(to, {"type": "bank", "city": number, **_bank(city)}))
    if jobs:
        out.append(Addressed(to, {"type": "jobs", "city": number, "jobs": _jobs(city)}))


def _tell_links(state: State, empire: int, out: list[Addressed]) -> None:
    links = find_links(state, empire)
    one = state.empires[empire]
    if links != one.links:
        one.links = links
        if not state.audience[empire]:
            return
        event = {"type": "links", "links": [list(pair) for pair in sorted(links)]}
        out.append(Addressed(state.audience[empire], event))


# -- views ---------------------------------------------------------------------------------------


def _bank(city: City) -> View:
    built = city.jobs[0].built if city.jobs else 0
    return {"bank": city.bank, "rate": city.rate, "at": city.at, "built": built}


def _jobs(city: City) -> list[list[Any]]:
    return [[job.kind, list(job.cells), job.work] for job in city.jobs]


def view(state: State, seat: Viewer) -> View:
    """From what this viewer was told of tiles, and what is its own. A viewer who watches sees the
    broadcast."""
    viewer = state.viewer(seat)
    own = 0 if seat is None else state.empire_of[seat]
    empire = state.empires[own]
    numbers = range(1, len(state.empires))
    commander = None if seat is None else state.commanders[seat]
    mine = [viewer > 0 and state.owner[city.cell] == viewer for city in state.cities]
    began = state.began
    shown: View = {
        "empire": own,
        "empires": [[s for s, e in enumerate(state.empire_of) if e == n] for n in numbers],
        "unit": state.unit,
        "cities": [city.cell for city in state.cities],
        "regions": state.regions.translate(_LETTERS).decode(),
        "began": began,
        "ends": None if began is None else began + state.rules.limit_seconds * 1000,
        "vote": [] if commander is None else list(commander.votes),
        "votes": [list(c.votes) for c in state.commanders] if state.votes_shown else None,
        "banned": state.banned,
        "tiles": list(state.known[viewer]),
        "scores": [exact_score(state, e) for e in numbers],
        "banks": [
            _bank(city) if own else None for own, city in zip(mine, state.cities, strict=True)
        ],
        "jobs": [
            _jobs(city) if own else None for own, city in zip(mine, state.cities, strict=True)
        ],
        "links": [list(pair) for pair in sorted(state.empires[viewer].links)],
        "sieges": [
            [city.siege, city.falls]
            if city.siege and viewer and (own or city.siege == viewer)
            else None
            for own, city in zip(mine, state.cities, strict=True)
        ],
        "stunned": empire.stunned,
        "blind": empire.blind,
        "ready": {} if commander is None else dict(commander.ready),
        "orders": {} if commander is None else _orders(commander),
    }
    if state.rules.full_reports:
        shown.update(_report(state, seat, viewer))
    if state.rules.late_seconds:
        shown["late"] = state.late
    return shown


def _orders(commander: Commander) -> View:
    return {
        str(number): {
            "action": order.action.type,
            "cells": list(order.action.cells),
            "what": order.action.what,
            "due": order.due,
        }
        for number, order in commander.orders.items()
    }


def _report(state: State, seat: Viewer, viewer: int) -> View:
    """The part of views that came with version 2."""
    told = state.told[viewer]
    scores = told.scores if viewer or state.air is None else state.air.scores
    sieges: list[list[int] | None] = [None] * len(state.cities)
    for city, siege in told.sieges.items():
        sieges[city] = list(siege)
    allies = state.audience[viewer] - {seat} if viewer else ()
    return {
        "watching": not viewer,
        "rules": state.rules.as_json(),
        "names": list(state.names),
        "scores": [list(row) for row in scores],
        "sieges": sieges,
        "protected": {str(cell): until for cell, until in sorted(told.protected.items())},
        "smoke": {str(cell): until for cell, until in sorted(told.smoke.items())},
        "allies": {
            str(ally): _orders(state.commanders[ally])
            for ally in sorted(a for a in allies if a is not None)
        },
    }


def truth(state: State) -> View:
    """Every tile and every bank as they are."""
    return {
        "tiles": [true_code(state, cell) for cell in range(state.topo.size)],
        "banks": [_bank(city) for city in state.cities],
        "jobs": [_jobs(city) for city in state.cities],
    }


def true_code(state: State, cell: int) -> int:
    found = state.kind[cell] | FULL << LEVEL | state.owner[cell] << OWNER | state.item[cell] << ITEM
    structure = state.structures.get(cell)
    if structure is not None:
        found |= structure.kind << STRUCTURE | structure.hp << HP
    if cell in state.pending:
        found |= state.pending[cell][0].kind << PENDING
    found |= SMOKE_BIT if cell in state.smoke else 0
    found |= SHIELD_BIT if cell in state.shield else 0
    return found | (SKULL_BIT if state.skull[cell] else 0)


# -- folding -------------------------------------------------------------------------------------


def fold(view: View, event: Event) -> None:  # noqa: C901 - flat: a case per event
    """Bring a view up to date by an event, as a client does. `exploded` is for the eye only."""
    kind = event["type"]
    if kind == "tiles":
        told = event["tiles"]
        for i in range(0, len(told), 2):
            view["tiles"][told[i]] = told[i + 1]
        if "protected" in view:
            _fold_ends(view, event)
    elif kind == "scores":
        for empire, *row in event["scores"]:
            view["scores"][empire - 1] = row
    elif kind == "bank":
        view["banks"][event["city"]] = {k: event[k] for k in ("bank", "rate", "at", "built")}
    elif kind == "jobs":
        view["jobs"][event["city"]] = event["jobs"]
    elif kind == "city_lost":
        view["banks"][event["city"]] = view["jobs"][event["city"]] = None
    elif kind == "links":
        view["links"] = event["links"]
    elif kind == "siege":
        falls = [event["by"], event["falls"]] if event["by"] else None
        view["sieges"][event["city"]] = falls
    elif kind == "ordered":
        view["ready"][event["action"]] = event["ready"]
        if "order" in event:
            view["orders"][str(event["order"])] = {
                k: event[k] for k in ("action", "cells", "what", "due")
            }
    elif kind == "done":
        view["orders"].pop(str(event["order"]), None)
    elif kind == "ally_ordered":
        orders = view["allies"][str(event["seat"])]
        orders[str(event["order"])] = {k: event[k] for k in ("action", "cells", "what", "due")}
    elif kind == "ally_done":
        view["allies"][str(event["seat"])].pop(str(event["order"]), None)
    elif kind == "watching":
        _fold_watching(view, event)
    else:
        _fold_told(view, kind, event)


def _fold_ends(view: View, event: Event) -> None:
    """Fold in the ends of protection and smoke on tiles; a tile without its bit has none."""
    told = event["tiles"]
    for name, bit in (("protected", SHIELD_BIT), ("smoke", SMOKE_BIT)):
        ends = view[name]
        for i in range(0, len(told), 2):
            if not told[i + 1] & bit:
                ends.pop(str(told[i]), None)
        new = event.get(name, [])
        for i in range(0, len(new), 2):
            ends[str(new[i])] = new[i + 1]


def _fold_watching(view: View, event: Event) -> None:
    """From now on the view is the broadcast's."""
    view.update(
        watching=True,
        tiles=list(event["tiles"]),
        scores=event["scores"],
        banks=[None] * len(view["cities"]),
        jobs=[None] * len(view["cities"]),
        sieges=[None] * len(view["cities"]),
        links=[],
        orders={},
        allies={},
        protected={},
        smoke={},
    )


def _fold_told(view: View, kind: str, event: Event) -> None:
    if view.get("watching") and kind in ("killed", "flashed", "eliminated"):
        return  # late, and of no effect any more
    if kind == "killed" and event["victim"] == view["empire"]:
        pause = event["pause"]
        view["stunned"] = event["until"]
        for orders in (view["orders"], *view.get("allies", {}).values()):
            for order in orders.values():
                order["due"] += pause
    elif kind == "flashed" and event["victim"] == view["empire"]:
        view["blind"] = event["until"]
    elif kind == "eliminated" and event["empire"] == view["empire"]:
        view["orders"] = {}
    elif kind == "voted":
        view["vote"] = event["cities"]
    elif kind == "votes":
        view["votes"], view["banned"] = event["votes"], event["banned"]
    elif kind == "began":
        view["began"], view["ends"] = event["t"], event["ends"]
        if "late" in event:
            view["late"] = event["late"]
