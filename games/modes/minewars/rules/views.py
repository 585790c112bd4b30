"""What leaves the engine: events after every change, whole views, and how one becomes the other."""

from __future__ import annotations

from typing import Any, Final

from games.engine.game import ALL, Addressed, Event, View, Viewer

from . import cities, groups
from .economy import update_rates
from .roads import find_links
from .sight import code
from .state import City, State
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
    for viewer, touched in enumerate(changes.tiles):
        if touched:
            _tell_tiles(state, viewer, touched, out)
            touched.clear()
    if changes.scores:
        rows = [[e, *score(state, e)] for e in sorted(changes.scores)]
        out.append(Addressed(ALL, {"type": "scores", "scores": rows}))
        changes.scores.clear()
    for number, loser in changes.lost:
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


def _tell_tiles(state: State, viewer: int, touched: set[int], out: list[Addressed]) -> None:
    known = state.known[viewer]
    told: list[int] = []
    for cell in sorted(touched):
        now = code(state, viewer, cell)
        if now != known[cell]:
            known[cell] = now
            told += (cell, now)
    if told:
        out.append(Addressed(state.audience[viewer], {"type": "tiles", "tiles": told}))


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
        event = {"type": "links", "links": [list(pair) for pair in sorted(links)]}
        out.append(Addressed(state.audience[empire], event))


# -- views ---------------------------------------------------------------------------------------


def score(state: State, empire: int) -> list[int | None]:
    """A row of the scoreboard: cities, tiles, kills, deaths, captures, and when it was out."""
    one = state.empires[empire]
    return [one.cities, one.tiles, one.kills, one.deaths, one.captures, one.out]


def _bank(city: City) -> View:
    built = city.jobs[0].built if city.jobs else 0
    return {"bank": city.bank, "rate": city.rate, "at": city.at, "built": built}


def _jobs(city: City) -> list[list[Any]]:
    return [[job.kind, list(job.cells), job.work] for job in city.jobs]


def view(state: State, seat: Viewer) -> View:
    """From what this viewer was told of tiles, and what is its own."""
    viewer = state.viewer(seat)
    empire = state.empires[viewer]
    commander = None if seat is None else state.commanders[seat]
    mine = [viewer > 0 and state.owner[city.cell] == viewer for city in state.cities]
    began = state.began
    return {
        "empire": viewer,
        "empires": [sorted(s for s in who if s is not None) for who in state.audience[1:]],
        "unit": state.unit,
        "cities": [city.cell for city in state.cities],
        "regions": state.regions.translate(_LETTERS).decode(),
        "began": began,
        "ends": None if began is None else began + state.rules.limit_seconds * 1000,
        "vote": [] if commander is None else list(commander.votes),
        "votes": [list(c.votes) for c in state.commanders] if state.votes_shown else None,
        "banned": state.banned,
        "tiles": list(state.known[viewer]),
        "scores": [score(state, e) for e in range(1, len(state.empires))],
        "banks": [
            _bank(city) if own else None for own, city in zip(mine, state.cities, strict=True)
        ],
        "jobs": [
            _jobs(city) if own else None for own, city in zip(mine, state.cities, strict=True)
        ],
        "links": [list(pair) for pair in sorted(empire.links)],
        "sieges": [
            [city.siege, city.falls]
            if city.siege and viewer and (own or city.siege == viewer)
            else None
            for own, city in zip(mine, state.cities, strict=True)
        ],
        "stunned": empire.stunned,
        "blind": empire.blind,
        "ready": {} if commander is None else dict(commander.ready),
        "orders": {}
        if commander is None
        else {
            str(number): {
                "action": order.action.type,
                "cells": list(order.action.cells),
                "what": order.action.what,
                "due": order.due,
            }
            for number, order in commander.orders.items()
        },
    }


def truth(state: State) -> View:
    """Every tile and every bank as they are."""
    return {
        "tiles": [_true_code(state, cell) for cell in range(state.topo.size)],
        "banks": [_bank(city) for city in state.cities],
        "jobs": [_jobs(city) for city in state.cities],
    }


def _true_code(state: State, cell: int) -> int:
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


def fold(view: View, event: Event) -> None:
    """What a client does with an event. `exploded` is for the eye only."""
    kind = event["type"]
    if kind == "tiles":
        told = event["tiles"]
        for i in range(0, len(told), 2):
            view["tiles"][told[i]] = told[i + 1]
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
    else:
        _fold_told(view, kind, event)


def _fold_told(view: View, kind: str, event: Event) -> None:
    if kind == "killed" and event["victim"] == view["empire"]:
        pause = event["pause"]
        view["stunned"] = event["until"]
        for order in view["orders"].values():
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
