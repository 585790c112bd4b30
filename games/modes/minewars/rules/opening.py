"""From the set-up to the first second: the island, the ban, the starts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from games.engine.game import ALL, Addressed, Event, Setup
from games.engine.rng import derive

from . import ground
from .broadcast import derive_broadcast
from .cities import give_city
from .economy import units
from .items import scatter
from .mapgen import generate
from .names import city_names
from .presets import Options, city_count, empires_of, ruleset
from .regions import find_clusters
from .scores import take_census
from .sight import codes, gain
from .state import Changes, City, Commander, Empire, State
from .telling import derive_told
from .tiles import IS_LAND, TOWER
from .topology import topology


def start(setup: Setup) -> State:
    """The state at match time 0: an island without owners and items."""
    options: Options = setup.options
    rules = ruleset(options, setup.version)
    empire_of = empires_of(options, setup.seats)
    island = generate(
        setup.seed,
        options.topology,
        options.radius,
        city_count(options, max(empire_of)),
        rules,
    )
    topo = topology(options.topology, options.radius)
    viewers = max(empire_of) + 1
    state = State(
        setup=setup,
        options=options,
        rules=rules,
        topo=topo,
        regions=island.regions,
        cities=[City(cell) for cell in island.cities],
        empire_of=empire_of,
        unit=sum(island.resources) * 1000 // len(island.resources),
        kind=bytearray(island.kinds),
        owner=bytearray(topo.size),
        item=bytearray(topo.size),
        skull=bytearray(topo.size),
        memory=[bytearray(island.kinds) for _ in range(viewers)],
        commanders=[Commander() for _ in empire_of],
        empires=[Empire() for _ in range(viewers)],
    )
    derive_parts(state)
    return state


def derive_parts(state: State) -> None:
    """Everything that follows from the rest of the state, anew."""
    topo, size = state.topo, state.topo.size
    viewers = range(len(state.empires))
    pairs = list(enumerate(state.empire_of))
    state.audience = [
        frozenset({None}) if not v else frozenset(s for s, e in pairs if e == v) for v in viewers
    ]
    state.incomes = state.rules.income
    state.city_at = {city.cell: number for number, city in enumerate(state.cities)}
    state.beside_city = {
        n: number for number, city in enumerate(state.cities) for n in topo.neighbours[city.cell]
    }
    state.near = [bytearray(size) for _ in viewers]
    state.watch = [bytearray(size) for _ in viewers]
    state.changes = Changes([set() for _ in viewers])
    state.cluster = [None] * size
    for cluster in find_clusters(topo, state.kind):
        ground.add_cluster(state, state.kind[cluster[0]], cluster)
    state.hard = bytearray(size)
    for empire in state.empires:
        empire.tiles, empire.cities, empire.worth = 0, 0, [0] * len(state.cities)
    for cell in range(size):
        ground.measure_hard(state, cell)
        owner = state.owner[cell]
        if owner:
            empire = state.empires[owner]
            empire.tiles += 1
            empire.cities += cell in state.city_at
            empire.worth[state.regions[cell]] += state.incomes[state.kind[cell]]
            gain(state, owner, topo.disc(cell, state.rules.sight_radius))
            structure = state.structures.get(cell)
            if structure is not None and structure.kind == TOWER:
                ground.watch(state, owner, cell, 1)
    state.pending = {}
    for city in state.cities:
        for job in city.jobs:
            for cell in job.cells:
                state.pending.setdefault(cell, []).append(job)
    state.names = city_names(state.setup.seed, len(state.cities))
    state.players = frozenset(s for s, e in pairs if state.empires[e].out is None)
    if state.rules.broadcast:
        state.audience = [seats & state.players for seats in state.audience]
        state.audience[0] = frozenset({None, *(s for s, _ in pairs)}) - state.players
    state.known = [
        list(state.memory[viewer])
        if state.rules.broadcast and not state.audience[viewer] & state.players
        else codes(state, viewer)
        for viewer in viewers
    ]
    if state.rules.broadcast:
        derive_broadcast(state)
    derive_told(state)
    state.changes = Changes([set() for _ in viewers])


def close_ban(state: State) -> list[Addressed]:
    """Time is up: the votes are shown, and the city with the most is nobody's start."""
    votes = [commander.votes for commander in state.commanders]
    counts = Counter(city for vote in votes for city in vote)
    if counts and len(state.cities) >= len(state.empires):  # on a crowded map all are needed
        most = max(counts.values())
        tied = sorted(city for city, count in counts.items() if count == most)
        state.banned = derive(state.setup.seed, "ban").choice(tied)
    state.votes_shown = True
    shown = {"type": "votes", "votes": [list(vote) for vote in votes], "banned": state.banned}
    return [Addressed(ALL, shown)]


def begin(state: State, t: int) -> None:
    """Everybody gets a city and all land around it; mines and decoys are laid."""
    state.now = state.began = t
    for empire, number in enumerate(draw_starts(state), 1):
        city = state.cities[number]
        city.at = t
        city.bank = units(state, state.rules.start_units)
        give_city(state, number, empire)
        for cell in state.topo.neighbours[city.cell]:
            assert IS_LAND[state.kind[cell]]
            ground.set_owner(state, cell, empire)
    scatter(state)
    if state.rules.census_seconds:
        take_census(state)
    ends = t + state.rules.limit_seconds * 1000
    state.add_timer(ends, "end")
    event: Event = {"type": "began", "t": t, "ends": ends}
    if state.late is not None:
        event["late"] = state.late
    state.changes.events.append(Addressed(ALL, event))


def draw_starts(state: State) -> list[int]:
    """A city per empire: those farthest apart among the ones not banned, dealt by the seed."""
    free = [number for number in range(len(state.cities)) if number != state.banned]
    distance, cities = state.topo.distance, state.cities
    rng = derive(state.setup.seed, "starts")
    rng.shuffle(free)

    def apart(chosen: Iterable[int]) -> tuple[int, int]:
        gaps = [distance(cities[a].cell, cities[b].cell) for a, b in combinations(chosen, 2)]
        return min(gaps), sum(gaps)

    best = list(max(combinations(free, len(state.empires) - 1), key=apart))
    rng.shuffle(best)
    return best
