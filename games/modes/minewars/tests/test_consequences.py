"""Facts that hold after every step, worked out from the rules anew: random
matches on a small map with many items, where empires meet."""

from __future__ import annotations

from random import Random

import pytest

from games.contract.replay import Replay
from games.modes.minewars.contract import play
from games.modes.minewars.rules.regions import find_clusters
from games.modes.minewars.rules.state import State, is_land
from games.modes.minewars.rules.tiles import IS_CLUSTER, ITEMS, ROAD, TOWER

OPTIONS = {"radius": 8, "ban_seconds": 0, "price_percent": 10, "mine_percent": 5, "cities": 4}


@pytest.mark.parametrize("number", range(6))
def test_groups_clusters_sieges_and_incomes_follow_from_what_is_owned(number: int) -> None:
    random = Random(number)
    seats = random.choice([2, 3])
    setup = {
        "t": 0,
        "mode": "minewars",
        "version": 1,
        "seed": random.randbytes(32).hex(),
        "deal": "",
        "seats": seats,
        "options": {**OPTIONS, "topology": random.choice(["hex", "square"])},
    }
    table, at = Replay.open(setup), 0
    state: State = table.state.game
    for step in range(400):
        at += random.randint(0, 400)
        table.apply({"t": at, "k": "tick"})
        seat = random.randrange(seats)
        own = [c for c in range(state.topo.size) if state.owner[c] == state.empire_of[seat]]
        action = play(random, state, seat)
        if own and random.random() < 0.4:
            item = random.choice(ITEMS[1:])
            action = {"type": "deploy", "item": item, "cell": random.choice(own)}
        if action is not None:
            table.apply({"t": at, "k": "action", "s": seat, "d": action})
        if table.game.outcome(table.state) is not None:
            break
        if step % 5 == 0:
            check_groups(state)
            check_clusters(state)
            check_cities(state)


def is_hard(state: State, cell: int) -> bool:
    """Taken only by surrounding."""
    built = state.structures.get(cell)
    wall = built is not None and ROAD < built.kind <= TOWER
    return IS_CLUSTER[state.kind[cell]] or state.item[cell] > 0 or wall


def check_groups(state: State) -> None:
    """No group of which one empire holds all safe land around is left to somebody else."""
    for empire in state.alive():
        left = {c for c in range(state.topo.size) if state.owner[c] != empire and is_hard(state, c)}
        while left:
            group = [left.pop()]
            rim: set[int] = set()
            for at in group:
                around = set(state.topo.neighbours[at])
                group += left & around
                left -= around
                rim |= around
            rim -= set(group)
            safe = [c for c in rim if is_land(state, c) and not is_hard(state, c)]
            held = any(state.owner[c] == empire for c in rim)
            protected = any(c in state.shield for c in group)
            assert protected or not held or any(state.owner[c] != empire for c in safe)


def check_clusters(state: State) -> None:
    """Owned as a whole, and only while no land beside it is another's."""
    for cluster in find_clusters(state.topo, state.kind):
        (owner,) = {state.owner[c] for c in cluster}
        beside = {n for c in cluster for n in state.topo.neighbours[c] if is_land(state, n)}
        assert not owner or {state.owner[n] for n in beside} <= {0, owner}


def check_cities(state: State) -> None:
    for number, city in enumerate(state.cities):
        owner = state.owner[city.cell]
        holders = {state.owner[n] for n in state.topo.neighbours[city.cell]}
        besieged = len(holders) == 1 and not holders & {0, owner}
        assert city.siege == (holders.pop() if besieged else 0)
        paused = not owner or state.empires[owner].stunned > state.now
        own = [
            c for c, r in enumerate(state.regions) if r == number and state.owner[c] == owner != 0
        ]
        yields = sum((0, 1, 2, 0, 0, 5, 3)[state.kind[c]] for c in own)
        assert city.rate == (0 if paused else 50 + yields)
