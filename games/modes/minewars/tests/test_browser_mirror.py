"""The browser knows the map and what can be ordered as the engine does: compared under node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.contract.playing import new_setup, random_entries
from games.contract.replay import Replay
from games.contract.subject import subject_of
from games.engine.errors import GameError, IllegalAction
from games.modes.minewars.contract import play
from games.modes.minewars.rules import economy, orders, views
from games.modes.minewars.rules.actions import parse_action
from games.modes.minewars.rules.state import State
from games.modes.minewars.rules.tiles import ITEMS, STRUCTURES, WATER
from games.modes.minewars.rules.topology import topology
from tests.running_site import ROOT

from .arena import Arena
from .test_economy import road_between

HERE = Path(__file__).parent
STATIC = HERE.parent / "static/modes/minewars"
MATCHES = 12
STEPS = 120


def drawn_map(name: str, radius: int) -> dict[str, Any]:
    topo = topology(name, radius)
    cells = range(topo.size)
    return {
        "topology": name,
        "radius": radius,
        "coords": topo.coords,
        "neighbours": topo.neighbours,
        "sides": topo.sides,
        "ring": topo.ring,
        "opposites": [topo.opposites(cell) for cell in cells],
        "discs": [topo.disc(cell, 3) for cell in cells],
        "distances": [topo.distance(0, cell) for cell in cells],
    }


def asked_in(seed: int) -> list[dict[str, Any]]:
    """Orders in a random match, with what the seat knew and what the engine said."""
    random = Random(f"legal {seed}")
    subject = subject_of("minewars")
    setup = new_setup(subject, random)
    table = Replay.open(setup)
    asked: list[dict[str, Any]] = []
    for entry in random_entries(table, setup, subject, random, STEPS):
        table.apply(entry)
        if table.game.outcome(table.state) is not None:
            break
        game = table.state.game
        if game.began is None:
            continue
        seat = random.randrange(len(game.empire_of))
        known = views.view(game, seat)
        for _ in range(2):
            raw = play(random, game, seat)
            if raw is None:
                continue
            try:
                action = parse_action(raw)
            except GameError:
                continue
            code = None
            try:
                orders.check(game, seat, action, game.now)
            except IllegalAction as error:
                code = error.code
            asked.append(
                {
                    "topology": setup["options"]["topology"],
                    "radius": setup["options"]["radius"],
                    "options": setup["options"],
                    "game": known,
                    "action": raw,
                    "t": game.now,
                    "code": code,
                }
            )
    return asked


def asked_of_roads() -> list[dict[str, Any]]:
    """Roads with a gap, and what the tile in the gap would connect."""
    arena = Arena()
    path = road_between(arena)
    asked = []

    def ask(cells: list[int], links: list[list[int]]) -> None:
        arena.ready()
        known = json.loads(json.dumps(views.view(arena.inner, 0)))
        options = {"topology": "hex", "radius": 8, "price_percent": 100}
        asked.append({**options, "options": options, "game": known, "cells": cells, "links": links})

    ask([], [])
    for cell in path:
        stood = arena.inner.structures.pop(cell)
        ask([], [])
        ask([cell], [[0, 2]])
        arena.inner.structures[cell] = stood
    arena.own(2, path[2])
    ask([path[1]], [])
    return asked


TOOLS: dict[str, Callable[[list[int]], dict[str, Any]]] = {
    "capture": lambda cells: {"type": "capture", "cell": cells[0]},
    "strike": lambda cells: {"type": "strike", "cells": cells},
    **{
        item: lambda cells, item=item: {"type": "deploy", "item": item, "cell": cells[0]}
        for item in ITEMS[1:]
    },
    "smoke": lambda cells: {"type": "smoke", "cell": cells[0]},
    "reveal": lambda cells: {"type": "reveal", "cell": cells[0]},
    **{
        kind: lambda cells, kind=kind: {"type": "build", "structure": kind, "cells": cells}
        for kind in STRUCTURES[1:]
    },
    "harvest": lambda cells: {"type": "harvest", "cell": cells[0]},
}


def refusal(ask: Callable[..., None], *given: Any) -> IllegalAction | None:
    try:
        ask(*given)
    except IllegalAction as error:
        return error
    return None


def bar_of(state: State, options: Any, cell: int, chosen: list[int]) -> dict[str, Any]:
    """For each tool at `cell`, or with `chosen` tiles, what the engine says against it."""
    size, t = state.topo.size, state.now

    def why(tool: str) -> str | None:
        if state.empires[1].stunned > t:
            return "You’re stunned."
        anywhere = (parse_action(TOOLS[tool]([one])) for one in range(size))
        if all(refusal(orders.check_possible, state, 1, one, t) for one in anywhere):
            return "There’s nowhere to use this yet."
        many = tool in ("strike", "road") and chosen
        action = parse_action(TOOLS[tool](chosen if many else [cell]))
        price = orders.cost(state, 1, action, t)
        error = price and refusal(economy.check_money, state, 1, action.cells[0], price, t)
        return error.text if error else None

    tools = {tool: why(tool) for tool in TOOLS}
    known = json.loads(json.dumps(views.view(state, 0)))
    shape = {"topology": options["topology"], "radius": options["radius"], "options": options}
    return {**shape, "game": known, "t": t, "cell": cell, "chosen": chosen, "tools": tools}


def bars() -> list[dict[str, Any]]:
    """The toolbar of players with linked and unlinked cities, without money, stunned, at sea."""
    plain = {"topology": "hex", "radius": 8, "price_percent": 100}
    linked, apart, dazed = Arena(), Arena(), Arena()
    road_between(linked)
    apart.own(1, apart.city(2), *apart.around(apart.city(2)))
    dazed.inner.empires[1].stunned = dazed.inner.now + 1
    asked = []
    for arena in (linked, apart, dazed):
        arena.inner.cities[0].bank, arena.inner.cities[2].bank = 120_000, 130_000
        arena.ready()
        foe = arena.cell(-2, 0)
        north, east = arena.cell(2, -4), arena.city(1)
        for cell, chosen in ((north, []), (north, [foe]), (foe, [north]), (east, [])):
            asked.append(bar_of(arena.inner, plain, cell, chosen))
    arena = Arena()
    arena.shape(WATER, *(c for c in range(arena.inner.topo.size) if not arena.owner(c)))
    asked.append(bar_of(arena.inner, plain, arena.city(0), []))
    return asked


def test_the_browser_knows_the_map_and_the_legal_orders(tmp_path: Path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: the mirror of the engine's checks is compared under node")
    folder = tmp_path / "minewars"
    shutil.copytree(STATIC, folder)
    (folder / "package.json").write_text('{"type": "module"}')  # node's word for ES modules
    file = tmp_path / "recorded.json"
    maps = [drawn_map("hex", 8), drawn_map("square", 8)]
    asked = [one for seed in range(MATCHES) for one in asked_in(seed)]
    file.write_text(
        json.dumps({"maps": maps, "asked": asked, "roads": asked_of_roads(), "bars": bars()})
    )
    done = subprocess.run(
        [node, "--import", "./tests/js/resolve.mjs", HERE / "mirror.mjs", folder, file],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    codes = json.loads(done.stdout)
    assert codes["null"] > MATCHES, "too few orders could be given"
    assert len(codes) > 8, "too few reasons were compared"
