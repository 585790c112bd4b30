"""A scripted match that does everything once, kept as a golden log.

    python -m games.modes.minewars.tests.script

plays it and writes the log. The director knows the whole map and gives the players only legal
actions; it is used to make the log, the log is what is tested.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from games.contract.playing import Played
from games.contract.replay import Replay
from games.engine.errors import IllegalAction
from games.engine.registry import MODES
from games.modes.minewars.rules.state import State, is_land
from games.modes.minewars.rules.tiles import BARRICADE, BRIDGE, MOUNTAIN, ROAD, TOWER, WATER
from tests.engine.golden import write

OPTIONS = {"radius": 12, "cities": 4, "ban_seconds": 3, "price_percent": 10, "limit_seconds": 7200}


class Stuck(Exception):
    """This map does not offer what the script needs."""


class Director:
    options: dict[str, Any] = OPTIONS
    seats = 2

    def __init__(self, seed: bytes) -> None:
        game = MODES["minewars"]
        options = game.parse_options(self.options)
        setup = {
            "t": 1_700_000_000_000,
            "mode": "minewars",
            "version": game.spec.version,
            "seed": seed.hex(),
            "deal": "",
            "seats": self.seats,
            "options": {k: getattr(options, k) for k in options.__slots__},
        }
        self.played = Played(setup)
        self.played.table = self.table = Replay.open(setup)
        self.t = 0

    @property
    def state(self) -> State:
        game: State = self.table.state.game
        return game

    @property
    def over(self) -> bool:
        return self.table.state.outcome is not None

    def entry(self, **fields: Any) -> None:
        entry = {"t": self.played.setup["t"] + self.t, **fields}
        self.played.entries.append(entry)
        self.table.apply(entry)

    def wait(self, ms: int) -> None:
        self.t += ms
        self.entry(k="tick")

    def act(self, seat: int, kind: str, **fields: Any) -> None:
        """As soon as it is allowed; then its delay passes."""
        raw = {"type": kind, **fields}
        action = self.table.game.parse_action(raw)
        for _ in range(400):
            if self.over:
                return
            try:
                self.table.game.check(self.table.state, seat, action)
                break
            except IllegalAction as error:
                if error.code not in ("cooling_down", "too_expensive", "stunned", "protected"):
                    raise Stuck(f"{raw}: {error}") from error
                self.wait(500)
        else:
            raise Stuck(f"never allowed: {raw}")
        self.entry(k="action", s=seat, d=raw)
        delay = self.state.rules.timing(kind)[1] if kind != "vote" else 0
        if delay:
            self.wait(delay)

    # -- getting hold of land --------------------------------------------------------------------

    def hold(self, seat: int, cells: Iterable[int]) -> None:
        """Own all of these, capturing the way there."""
        wanted = [c for c in cells if is_land(self.state, c)]
        for cell in wanted:
            for _ in range(300):
                if self.over or self.state.owner[cell] == seat + 1:
                    break
                self._step_towards(seat, cell)
            else:
                raise Stuck(f"cannot hold {cell}")

    def _step_towards(self, seat: int, goal: int) -> None:
        state, empire = self.state, seat + 1
        before = {goal: goal}
        queue = [goal]
        for at in queue:
            if any(state.owner[n] == empire for n in state.topo.neighbours[at]):
                self._take(seat, at)
                return
            for n in state.topo.neighbours[at]:
                if n not in before and is_land(state, n):
                    before[n] = at
                    queue.append(n)
        raise Stuck(f"no way to {goal}")

    def _take(self, seat: int, cell: int) -> None:
        state = self.state
        if state.item[cell] or (cell in state.structures and state.hard[cell]):
            self.act(seat, "strike", cells=[cell])
        else:
            self.act(seat, "capture", cell=cell)

    def rim(self, cells: Iterable[int]) -> list[int]:
        inner = set(cells)
        return sorted({n for c in inner for n in self.state.topo.neighbours[c]} - inner)

    # -- the script ------------------------------------------------------------------------------

    def run(self) -> None:
        self.act(0, "vote", cities=[0, 1])
        self.act(1, "vote", cities=[0])
        self.wait(3000)
        mine = self.city_of(1)
        neutral = min(
            (i for i in range(4) if not self.state.city_owner(i)),
            key=lambda i: self.distance(i, mine),
        )
        self.take_city(neutral)
        self.connect(mine, neutral)
        self.barricade()
        self.tower(mine)
        self.bridge()
        self.meet()
        self.act(0, "harvest", cell=self.own_land(0, mine, kind=1))
        road = next(c for c, s in self.state.structures.items() if s.kind == ROAD)
        self.act(0, "bulldoze", cell=road)
        self.take_city(self.city_of(2))
        if not self.over:
            raise Stuck("the match goes on")

    def city_of(self, empire: int) -> int:
        cities = range(len(self.state.cities))
        return next(i for i in cities if self.state.city_owner(i) == empire)

    def distance(self, a: int, b: int) -> int:
        cities = self.state.cities
        return self.state.topo.distance(cities[a].cell, cities[b].cell)

    def take_city(self, number: int) -> None:
        self.hold(0, self.state.topo.neighbours[self.state.cities[number].cell])
        self.wait(5000)

    def own_land(self, seat: int, region: int, kind: int) -> int:
        state = self.state
        for cell in range(state.topo.size):
            if (
                state.owner[cell] == seat + 1
                and state.regions[cell] == region
                and state.kind[cell] == kind
                and cell not in state.pending
            ):
                return cell
        raise Stuck("no such land")

    def built(self) -> None:
        for _ in range(600):
            if not any(city.jobs for city in self.state.cities):
                return
            self.wait(1000)
        raise Stuck("never built")

    def connect(self, a: int, b: int) -> None:
        """Roads along a way between two own cities, within their regions."""
        state = self.state
        start, goal = state.cities[a].cell, state.cities[b].cell
        came = {start: start}
        queue = [start]
        for at in queue:
            for n in state.topo.neighbours[at]:
                if n not in came and (
                    n == goal or (is_land(state, n) and state.regions[n] in (a, b))
                ):
                    came[n] = at
                    queue.append(n)
        if goal not in came:
            raise Stuck("no way for a road")
        way = [came[goal]]
        while came[way[-1]] != start:
            way.append(came[way[-1]])
        self.hold(0, way)
        for region in (a, b):
            part = [c for c in way if state.regions[c] == region]
            part = [c for c in part if not state.item[c]]
            if part:
                self.act(0, "build", structure="road", cells=part)
        self.built()
        if not state.empires[1].links:
            raise Stuck("no connection")

    def barricade(self) -> None:
        """Hold two mountains with a gap of one tile, and close it."""
        state = self.state
        for cell in range(state.topo.size):
            region = state.regions[cell]
            if not is_land(state, cell) or region == 255 or state.city_owner(region) != 1:
                continue
            beside = [n for n in state.topo.neighbours[cell] if state.kind[n] == MOUNTAIN]
            clusters = {id(state.cluster[n]): state.cluster[n] for n in beside}
            if len(clusters) < 2 or cell in state.structures:
                continue
            tiles = [c for cluster in clusters.values() if cluster for c in cluster.tiles]
            others = [n for n in self.rim(tiles) if state.cluster[n] is not None]
            if others:
                continue
            self.hold(0, [*self.rim(tiles), cell])
            if all(state.owner[n] == 1 for n in tiles):
                self.act(0, "build", structure="barricade", cells=[cell])
                self.built()
                return
        raise Stuck("no gap between mountains")

    def tower(self, region: int) -> None:
        state = self.state
        for cell in range(state.topo.size):
            near = state.topo.neighbours[cell]
            if (
                state.owner[cell] == 1
                and is_land(state, cell)
                and state.regions[cell] == region
                and cell not in state.structures
                and not state.item[cell]
                and all(state.cluster[n] is None or state.owner[n] == 1 for n in near)
            ):
                self.act(0, "build", structure="tower", cells=[cell])
                self.built()
                return
        raise Stuck("no place for a tower")

    def bridge(self) -> None:
        """Over a river; then capture across it if there is land that is not own."""
        state = self.state
        for cell in range(state.topo.size):
            for pair in state.topo.opposites(cell) if state.kind[cell] == WATER else ():
                ends = [e for e in pair if is_land(state, e)]
                if len(ends) == 2 and any(state.owns_region(1, e) for e in ends):
                    end = next(e for e in ends if state.owns_region(1, e))
                    self.hold(0, [end])
                    self.act(0, "build", structure="bridge", cells=[cell])
                    self.built()
                    return
        raise Stuck("no river")

    def meet(self) -> None:
        """Both at one border: a mine, a trap, smoke."""
        state = self.state
        theirs = state.topo.neighbours[state.cities[self.city_of(2)].cell]
        target = theirs[0]
        beside = [
            n
            for n in state.topo.neighbours[target]
            if is_land(state, n) and n not in theirs and not state.owner[n]
        ]
        if not beside:
            raise Stuck("no border")
        for near in beside:
            if not self.over and state.owner[near] != 1:
                self.hold(0, [near])
        self.wait(3000)
        if state.owner[target] != 2:
            raise Stuck("taken on the way")
        mine = next(n for n in beside if state.owner[n] == 1)
        self.act(1, "smoke", cell=mine)
        self.act(1, "deploy", item="flashbang", cell=target)
        self.act(0, "capture", cell=target)
        self.wait(6000)
        second = next(c for c in theirs if state.owner[c] == 2 and not state.item[c])
        self.act(1, "deploy", item="decoy", cell=second)
        self.act(1, "deploy", item="mine", cell=second)
        self.hold(0, [n for n in state.topo.neighbours[second] if n not in theirs][:1])
        if state.owner[second] == 2 and state.item[second]:
            self.act(0, "capture", cell=second)
        self.wait(6000)


def done(table: Replay) -> set[str]:
    """The parts of the script that a match has done, told from what players received."""
    found: set[str] = set()
    for stream in table.streams.values():
        text = b"".join(stream)
        for sign, name in (
            (b'"type":"flashed"', "blinds"),
            (b'"type":"exploded"', "strikes"),
            (b'"type":"killed"', "kills"),
            (b'"type":"links","links":[[', "road connection"),
            (b'"action":"harvest"', "harvests"),
            (b'"action":"bulldoze"', "bulldozes"),
            (b'"action":"smoke"', "smokes"),
            (b'"type":"eliminated"', "eliminates a player"),
        ):
            if sign in text:
                found.add(name)
    state: State = table.state.game
    names = {ROAD: "road", BARRICADE: "barricade", TOWER: "tower", BRIDGE: "bridge"}
    found |= {names[structure.kind] for structure in state.structures.values()}
    if any(empire.captures for empire in state.empires):
        found.add("captures a city")
    return found


def main() -> None:
    wanted = 13
    for number in range(400):
        director = Director(sha256(b"script %d" % number).digest())
        try:
            director.run()
        except (Stuck, StopIteration, IndexError) as error:
            print(number, type(error).__name__, str(error)[:100])
            continue
        found = done(director.table)
        print(number, len(director.played.entries), sorted(found))
        if len(found) == wanted:
            print(write(director.played, 1))
            return


if __name__ == "__main__":
    main()
