"""Battleship, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.modes.battleship.rules.fleet import CELLS, LENGTHS, Ship
from games.modes.battleship.rules.state import UNTRIED, Sea

EVERYWHERE = {
    length: [
        ship
        for cell in range(CELLS)
        for vertical in (False, True)
        if (ship := Ship(cell, length, vertical)).inside
    ]
    for length in set(LENGTHS)
}
CELLS_OF = {ship: frozenset(ship.cells) for ships in EVERYWHERE.values() for ship in ships}

SOON = 10
"""A pair of states is compared for less than this many ms."""


def options(random: Random) -> dict[str, Any]:
    raw: dict[str, Any] = {"first": random.randint(0, 1)}
    if random.random() < 0.7:
        raw["turn_seconds"] = random.choice([1, 5, 30, 120])
    if random.random() < 0.7:
        raw["setup_seconds"] = random.choice([1, 10, 90])
    return raw


def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
    if state.phase == "setup" or random.random() < 0.01:
        ships = [ship.as_json() for ship in random_fleet(random)]
        if random.random() < 0.1:
            random.choice(ships)["cell"] = random.randrange(-1, CELLS + 1)
        return {"type": "place", "ships": ships}
    sea = state.game.seas[1 - seat]
    cell = random.randrange(-1, CELLS + 1)
    hits = [c for ship in sea.fleet or () for c in ship.cells if sea.tried[c] == UNTRIED]
    if hits and random.random() < 0.7:
        cell = random.choice(hits)
    return {"type": "bomb", "cell": cell}


def random_fleet(random: Random) -> list[Ship]:
    taken: set[int] = set()
    fleet = []
    for length in random.sample(LENGTHS, len(LENGTHS)):
        ship = random.choice([s for s in EVERYWHERE[length] if taken.isdisjoint(CELLS_OF[s])])
        taken.update(ship.cells)
        fleet.append(ship)
    return fleet


def perturb(random: Random, state: Any, viewer: int | None) -> bool:
    """Other fleets that answered every bomb the same, placed in another order."""
    ends = state.game.turn_ends
    if ends is not None and ends - state.now < SOON:
        return False  # the bomb of a turn that runs out tells of the fleet, by the rules
    changed = False
    for seat, sea in enumerate(state.game.seas):
        if seat != viewer and sea.fleet is not None:
            before = sea.fleet
            sea.fleet = tuple(
                random_fleet(random) if state.phase == "setup" else _moved(random, sea)
            )
            changed = changed or sea.fleet != before
    return changed


def _moved(random: Random, sea: Sea) -> list[Ship]:
    fleet = list(sea.fleet or ())
    random.shuffle(fleet)
    tried = {cell for cell in range(CELLS) if sea.tried[cell] != UNTRIED}
    for i, ship in enumerate(fleet):
        if ship in sea.sunk:
            continue
        hits = CELLS_OF[ship] & tried
        others = {cell for other in fleet if other is not ship for cell in other.cells}
        fits = [s for s in EVERYWHERE[ship.length] if others.isdisjoint(CELLS_OF[s])]
        fleet[i] = random.choice([s for s in fits if CELLS_OF[s] & tried == hits])
    return fleet


def quiet(random: Random, state: Any, viewer: int | None) -> list[dict[str, Any]]:
    """A refused action, a fleet that is placed, and a bomb on the viewer's own sea."""
    if state.phase == "setup":
        return [{"k": "action", "s": seat, "d": act(random, state, seat)} for seat in (0, 1)][:1]
    game = state.game
    entries: list[dict[str, Any]] = []
    if viewer is not None and game.turn == 1 - viewer:
        tried = game.seas[viewer].tried
        untried = [cell for cell in range(CELLS) if tried[cell] == UNTRIED]
        action = {"type": "bomb", "cell": random.choice(untried)}
        entries.append({"k": "action", "s": 1 - viewer, "d": action})
    elif game.turn is not None:
        action = {"type": "bomb", "cell": random.randrange(CELLS)}
        entries.append({"k": "action", "s": 1 - game.turn, "d": action})
    return entries
