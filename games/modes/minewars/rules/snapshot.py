"""A match as JSON and back. Only what cannot be derived is written; bytes as base64."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections import deque
from typing import Any

from games.engine.game import Setup

from .actions import Action
from .opening import derive_parts
from .presets import empires_of, ruleset
from .roads import find_links
from .state import Broadcast, City, Commander, Empire, Job, Order, State, Structure
from .topology import topology


def _text(data: bytes | bytearray) -> str:
    return b64encode(data).decode()


def dump(state: State) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "regions": _text(state.regions),
        "kind": _text(state.kind),
        "owner": _text(state.owner),
        "item": _text(state.item),
        "skull": [cell for cell, there in enumerate(state.skull) if there],
        "memory": [_text(kinds) for kinds in state.memory],
        "unit": state.unit,
        "cities": [_dump_city(city) for city in state.cities],
        "commanders": [_dump_commander(one) for one in state.commanders],
        "empires": [_dump_empire(one) for one in state.empires],
        "structures": [
            [built.kind, list(built.cells), built.hp, built.paid]
            for cell, built in sorted(state.structures.items())
            if cell == built.cells[0]
        ],
        "shield": sorted(state.shield.items()),
        "smoke": sorted(state.smoke.items()),
        "lifted": sorted(state.lifted.items()),
        "timers": sorted(state.timers),
        "serial": state.serial,
        "now": state.now,
        "began": state.began,
        "ended": state.ended,
        "banned": state.banned,
        "votes_shown": state.votes_shown,
    }
    if state.air is not None:
        raw.update(
            census=state.census,
            disclosed=state.disclosed,
            air=[state.air.codes, state.air.scores, list(state.air.waiting)],
        )
    return raw


def _dump_city(city: City) -> list[Any]:
    jobs = [[j.kind, list(j.cells), j.owner, j.work, j.paid, j.built] for j in city.jobs]
    return [
        city.cell,
        city.bank,
        city.rate,
        city.at,
        jobs,
        city.finishes,
        city.siege,
        city.falls,
    ]


def _dump_commander(one: Commander) -> list[Any]:
    orders = [[number, o.action.as_json(), o.due] for number, o in one.orders.items()]
    return [one.ready, orders, one.next_order, list(one.votes), one.retired]


def _dump_empire(one: Empire) -> list[Any]:
    return [
        one.kills,
        one.deaths,
        one.captures,
        one.out,
        one.stunned,
        one.blind,
        one.blindings,
        sorted(one.flags),
        sorted(one.revealed),
    ]


def load(raw: dict[str, Any], setup: Setup) -> State:
    """The state that `dump` wrote."""
    options = setup.options
    topo = topology(options.topology, options.radius)
    state = State(
        setup=setup,
        options=options,
        rules=ruleset(options, setup.version),
        topo=topo,
        regions=b64decode(raw["regions"]),
        cities=[_load_city(city) for city in raw["cities"]],
        empire_of=empires_of(options, setup.seats),
        unit=raw["unit"],
        kind=bytearray(b64decode(raw["kind"])),
        owner=bytearray(b64decode(raw["owner"])),
        item=bytearray(b64decode(raw["item"])),
        skull=bytearray(topo.size),
        memory=[bytearray(b64decode(kinds)) for kinds in raw["memory"]],
        commanders=[_load_commander(one) for one in raw["commanders"]],
        empires=[_load_empire(one) for one in raw["empires"]],
        shield=dict(map(tuple, raw["shield"])),
        smoke=dict(map(tuple, raw["smoke"])),
        lifted=dict(map(tuple, raw["lifted"])),
        timers=[(at, serial, what, tuple(args)) for at, serial, what, args in raw["timers"]],
        serial=raw["serial"],
        now=raw["now"],
        began=raw["began"],
        ended=raw["ended"],
        banned=raw["banned"],
        votes_shown=raw["votes_shown"],
    )
    for cell in raw["skull"]:
        state.skull[cell] = 1
    if "air" in raw:
        codes, scores, waiting = raw["air"]
        state.census, state.disclosed = raw["census"], raw["disclosed"]
        state.air = Broadcast(codes, scores, deque((at, events) for at, events in waiting))
    for kind, cells, hp, paid in raw["structures"]:
        structure = Structure(kind, tuple(cells), hp, paid)
        state.structures.update(dict.fromkeys(cells, structure))
    derive_parts(state)
    for number, empire in enumerate(state.empires):
        empire.links = find_links(state, number) if number else frozenset()
    return state


def _load_city(raw: list[Any]) -> City:
    cell, bank, rate, at, jobs, finishes, siege, falls = raw
    return City(
        cell,
        bank,
        rate,
        at,
        [Job(kind, tuple(cells), *rest) for kind, cells, *rest in jobs],
        finishes,
        siege,
        falls,
    )


def _load_commander(raw: list[Any]) -> Commander:
    ready, orders, next_order, votes, retired = raw
    waiting = {number: Order(Action.from_json(action), due) for number, action, due in orders}
    return Commander(ready, waiting, next_order, tuple(votes), retired)


def _load_empire(raw: list[Any]) -> Empire:
    kills, deaths, captures, out, stunned, blind, blindings, flags, revealed = raw
    return Empire(
        kills, deaths, captures, out, stunned, blind, blindings, set(flags), set(revealed)
    )
