"""MineWars, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.minewars import ground, sight
from games.engine.minewars.opening import derive_parts
from games.engine.minewars.roads import find_links
from games.engine.minewars.state import State, is_land
from games.engine.minewars.tiles import (
    BRIDGE,
    FOG,
    FULL,
    IS_CLUSTER,
    ITEMS,
    LIMITED,
    MOUNTAIN,
    STRUCTURES,
    WATER,
)


def options(random: Random) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "preset": random.choice(["duel", "classic", "mayhem", "duos"]),
        "radius": random.randint(8, 9),
        "cities": random.randint(2, 4),
        "team_size": random.choice([1, 1, 2, 3]),
        "ban_seconds": random.choice([0, 0, 3]),
        "limit_seconds": random.choice([10, 60, 600]),
        "topology": random.choice(["hex", "hex", "square"]),
        "price_percent": random.choice([10, 10, 100]),
        "mine_percent": random.choice([5, 15, 28]),
        "decoy_percent": random.choice([0, 9]),
    }
    return {key: value for key, value in raw.items() if random.random() < 0.9 or key == "radius"}


# -- play ----------------------------------------------------------------------------------------


def act(random: Random, state: Any, seat: int) -> dict[str, Any] | None:
    game: State = state.game
    if game.began is None or random.random() < 0.01:
        count = random.randint(0, 2)
        cities = random.sample(range(len(game.cities) + (random.random() < 0.1)), count)
        return {"type": "vote", "cities": cities}
    return play(random, game, seat)


def play(random: Random, game: State, seat: int) -> dict[str, Any] | None:
    """Mostly captures next to own land, and everything else now and then."""
    empire = game.empire_of[seat]
    own = [c for c in range(game.topo.size) if game.owner[c] == empire]
    if not own or random.random() < 0.03:
        return _anything(random, game)
    dice = random.random()
    if dice < 0.55:
        edge = [
            n
            for c in own
            for n in game.topo.neighbours[c]
            if game.owner[n] != empire and is_land(game, n)
        ]
        safe = [n for n in edge if not game.item[n]]
        pool = safe if safe and random.random() < 0.85 else edge
        return {"type": "capture", "cell": random.choice(pool)} if pool else None
    seen = [c for c in range(game.topo.size) if sight.level(game, empire, c) != FOG]
    if dice < 0.62:
        return {"type": "strike", "cells": random.sample(seen, min(len(seen), 3))}
    if dice < 0.66:
        limited = [c for c in seen if sight.level(game, empire, c) == LIMITED]
        return {"type": "reveal", "cell": random.choice(limited)} if limited else None
    if dice < 0.70:
        foes = [c for c in seen if game.owner[c] not in (0, empire)]
        return {"type": "smoke", "cell": random.choice(foes or seen)}
    if dice < 0.77:
        return {"type": "deploy", "item": random.choice(ITEMS[1:]), "cell": random.choice(own)}
    if dice < 0.87:
        return _build(random, game, empire, own)
    if dice < 0.90:
        jobs = [c for c in own if c in game.pending] or own
        return {"type": "cancel", "cell": random.choice(jobs)}
    if dice < 0.92:
        built = [c for c in own if c in game.structures] or own
        return {"type": "bulldoze", "cell": random.choice(built)}
    if dice < 0.95:
        return {"type": "harvest", "cell": random.choice(own)}
    on = random.random() < 0.6
    return {"type": "flag", "cell": random.choice(seen), "on": on}


def _build(random: Random, game: State, empire: int, own: list[int]) -> dict[str, Any]:
    name = random.choice(STRUCTURES[1:])
    cells = random.sample(own, min(len(own), random.choice([1, 1, 2, 4])))
    if name == "bridge":
        wet = [n for c in own for n in game.topo.neighbours[c] if game.kind[n] == WATER]
        cells = [random.choice(wet)] if wet else cells
    elif name == "barricade":
        beside = [c for c in own if any(game.kind[n] == MOUNTAIN for n in game.topo.neighbours[c])]
        cells = [random.choice(beside)] if beside else cells
    elif name == "tower":
        cells = cells[:1]
    return {"type": "build", "structure": name, "cells": cells}


def _anything(random: Random, game: State) -> dict[str, Any]:
    cell = random.randrange(-1, game.topo.size + 1)
    return random.choice(
        [
            {"type": "capture", "cell": cell},
            {"type": "strike", "cells": [cell]},
            {"type": "reveal", "cell": cell},
            {"type": "smoke", "cell": cell},
            {"type": "deploy", "item": "mine", "cell": cell},
            {"type": "build", "structure": "tower", "cells": [cell]},
            {"type": "build", "structure": "bridge", "cells": [cell]},
            {"type": "harvest", "cell": cell},
            {"type": "flag", "cell": cell, "on": True},
        ]
    )
