"""A bare island on which a test sets up exactly what it is about.

Radius 8, all land, three cities: city 0 of empire 1 in the west, city 1 of empire 2 in the east,
the neutral city 2 in the north. The base unit is 100 resources: a cost of 3 is a price of 300.
Spectators see everything at once.
"""

from __future__ import annotations

from typing import Any

from games.engine.game import Event, Viewer
from games.modes.minewars.rules import sight
from games.modes.minewars.rules.opening import derive_parts
from games.modes.minewars.rules.roads import find_links
from games.modes.minewars.rules.ruleset import Ruleset
from games.modes.minewars.rules.state import City, State
from games.modes.minewars.rules.tiles import (
    DIGIT,
    FOUNDATION,
    HP,
    ITEM,
    KIND_MASK,
    LAND,
    LEVEL,
    MINE,
    NO_REGION,
    OWNER,
    PENDING,
    STAR_BIT,
    STRUCTURE,
    WATER,
)
from tests.engine.table import Table

RULES = Ruleset()
WEST, EAST, NORTH = (-4, 0), (4, 0), (2, -5)
SPOTS = {"hex": (WEST, EAST, NORTH), "square": ((4, 8), (12, 8), (8, 3))}


class Arena(Table):
    def __init__(self, seats: int = 2, topology: str = "hex", **options: Any) -> None:
        given = {
            "radius": 8,
            "cities": 3,
            "ban_seconds": 0,
            "mine_percent": 0,
            "decoy_percent": 0,
            "watch_delay_seconds": 0,
        }
        super().__init__("minewars", seats, topology=topology, **given | options)
        state = self.inner
        topo = state.topo
        inside = [topo.distance(c, topo.middle) < 8 for c in range(topo.size)]
        state.kind[:] = bytes(LAND if land else WATER for land in inside)
        state.cities = [City(self.cell(*spot)) for spot in SPOTS[topology]]
        state.item[:] = state.owner[:] = bytes(topo.size)
        regions = [
            min(range(3), key=lambda i: topo.distance(state.cities[i].cell, c))
            if inside[c]
            else NO_REGION
            for c in range(topo.size)
        ]
        state.regions = bytes(regions)
        state.unit = 100_000
        for empire, city in enumerate(state.cities, 1):
            state.kind[city.cell] = FOUNDATION
            if empire < min(3, len(state.empires)):
                city.bank, city.rate = 10_000_000, RULES.city_income + len(topo.ring[city.cell])
                for cell in (city.cell, *topo.neighbours[city.cell]):
                    state.owner[cell] = empire
        state.memory = [bytearray(state.kind) for _ in state.empires]
        self.ready()

    @property
    def state_(self) -> State:
        game: State = self.inner
        return game

    def ready(self) -> None:
        """After changing the state by hand: everything derived, and everybody's view, anew."""
        state = self.state_
        state.air = None
        derive_parts(state)
        for number, empire in enumerate(state.empires):
            empire.links = find_links(state, number) if number else frozenset()
        for number, city in enumerate(state.cities):
            owner = state.owner[city.cell]
            city.rate = RULES.city_income + state.empires[owner].worth[number] if owner else 0
        self.views = {viewer: self.look(viewer) for viewer in self.viewers}

    # -- setting up ------------------------------------------------------------------------------

    def cell(self, x: int, y: int) -> int:
        cell = self.inner.topo.at(x, y)
        assert cell is not None
        return int(cell)

    def own(self, empire: int, *cells: int) -> None:
        for cell in cells:
            self.inner.owner[cell] = empire
        self.ready()

    def put(self, item: int, *cells: int) -> None:
        for cell in cells:
            self.inner.item[cell] = item
        self.ready()

    def shape(self, kind: int, *cells: int) -> None:
        """These tiles are of this kind, and have always been."""
        for cell in cells:
            self.inner.kind[cell] = kind
            for memory in self.inner.memory:
                memory[cell] = kind
        self.ready()

    def mines_everywhere_but(self, *cells: int) -> None:
        """A mine on every free land tile but these, so that nothing is captured by itself."""
        state = self.inner
        for cell in range(state.topo.size):
            free = state.kind[cell] == LAND and not state.owner[cell]
            if free and cell not in cells:
                state.item[cell] = MINE
        self.ready()

    def around(self, cell: int) -> tuple[int, ...]:
        return tuple(self.inner.topo.neighbours[cell])

    def city(self, number: int) -> int:
        return int(self.inner.cities[number].cell)

    # -- playing ---------------------------------------------------------------------------------

    def wait(self, ms: int) -> dict[Viewer, list[Event]]:
        return self.wait_until(self.t + ms)

    def do(self, seat: int, kind: str, **fields: Any) -> dict[Viewer, list[Event]]:
        """Give an order that is accepted, and let its delay pass; all that anybody received."""
        got = self.act(seat, kind, **fields)
        assert not any(e["type"] == "refused" for e in got[seat]), got[seat]
        delay = RULES.timing(kind)[1]
        if delay:
            for viewer, events in self.wait(delay).items():
                got[viewer] += events
        return got

    def capture(self, seat: int, cell: int) -> dict[Viewer, list[Event]]:
        return self.do(seat, "capture", cell=cell)

    # -- looking ---------------------------------------------------------------------------------

    def owner(self, cell: int) -> int:
        return int(self.inner.owner[cell])

    def code(self, viewer: Viewer, cell: int) -> int:
        return int(self.look(viewer)["game"]["tiles"][cell])

    def seen(self, viewer: Viewer, cell: int) -> dict[str, Any]:
        """A tile in this viewer's view."""
        code = self.code(viewer, cell)
        digit = code >> DIGIT & 15
        return {
            "kind": code & KIND_MASK,
            "level": code >> LEVEL & 3,
            "owner": code >> OWNER & 7,
            "item": code >> ITEM & 3,
            "structure": code >> STRUCTURE & 7,
            "hp": code >> HP & 15,
            "pending": code >> PENDING & 7,
            "digit": None if not digit else f"{digit - 1}{'*' if code & STAR_BIT else ''}",
        }

    def level(self, viewer: Viewer, cell: int) -> int:
        return sight.level(self.inner, self.inner.viewer(viewer), cell)

    def digit(self, seat: int, cell: int) -> str | None:
        found: str | None = self.seen(seat, cell)["digit"]
        return found

    def money(self, number: int) -> int:
        """In thousandths, now."""
        return int(self.inner.cities[number].money(self.t))

    def score(self, empire: int) -> dict[str, int]:
        row = self.look(None)["game"]["scores"][empire - 1]
        return dict(zip(("cities", "tiles", "kills", "deaths", "captures"), row, strict=False))
