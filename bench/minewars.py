"""MineWars: maps, and the middle of a Classic match of four. `python -m bench.minewars`

The peer is the same work without keeping sight incrementally: every viewer's whole map worked out
anew after a capture, as a simple server would do it. Times are processor time: what other
processes of the machine do does not count.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from statistics import median
from time import process_time, thread_time

from games.bots.roster import ROSTER
from games.engine.game import Input, Kind, Setup
from games.engine.lifecycle import Lifecycle
from games.engine.lifecycle import State as Match
from games.modes.minewars.bot import simulation
from games.modes.minewars.bot.figures import thinking
from games.modes.minewars.rules import ground, mapgen, views
from games.modes.minewars.rules.opening import derive_parts
from games.modes.minewars.rules.presets import (
    PRESETS,
    city_count,
    empires_of,
    parse_options,
    ruleset,
)
from games.modes.minewars.rules.rules import MineWarsRules
from games.modes.minewars.rules.sight import code
from games.modes.minewars.rules.state import State, is_land

GAME: Lifecycle[State] = Lifecycle(MineWarsRules())
TILES = 350
"""Of each empire in the middle of the match."""


def seed(number: int) -> bytes:
    return sha256(b"bench %d" % number).digest()


def timed(work: Callable[[], object]) -> float:
    begin = thread_time()
    work()
    return thread_time() - begin


def map_seconds(preset: str, runs: int) -> float:
    options = parse_options({"preset": preset})
    cities = city_count(options, max(empires_of(options, PRESETS[preset]["players"])))
    rules = ruleset(options)
    make = mapgen.generate.__wrapped__
    return median(
        timed(partial(make, seed(i), "hex", options.radius, cities, rules)) for i in range(runs)
    )


def middle(number: int = 0) -> Match[State]:
    """Four empires on the Classic map that have grown around their cities; items on the way are
    theirs now and guard their land."""
    options = GAME.parse_options({"preset": "classic"})
    match = GAME.start(Setup("minewars", GAME.spec.version, seed(number), 4, options, 0))
    GAME.advance(match, 15_000)
    state = match.game
    for empire in range(1, 5):
        grown = [c for c in range(state.topo.size) if state.owner[c] == empire]
        for at in grown:
            for n in state.topo.neighbours[at]:
                if len(grown) < TILES and not state.owner[n] and is_land(state, n):
                    ground.set_owner(state, n, empire)
                    grown.append(n)
    views.flush(state)
    return match


def edge_of(state: State, empire: int) -> list[int]:
    """Free land without items beside this empire's, that opens nothing more."""
    found = []
    for cell in range(state.topo.size):
        around = state.topo.neighbours[cell]
        if (
            is_land(state, cell)
            and not state.owner[cell]
            and not state.item[cell]
            and cell not in state.structures
            and any(state.owner[n] == empire for n in around)
            and sum(state.item[n] > 0 and not state.owner[n] for n in around) > 0
        ):
            found.append(cell)
    return found


def captures(match: Match[State]) -> list[float]:
    """Seconds of each: the order, its delay, what follows, events for all."""
    state, taken = match.game, []
    at = match.origin + match.now
    edges = [edge_of(state, empire) for empire in range(1, 5)]
    for turn in range(60):
        for seat, cells in enumerate(edges):
            cell = cells[turn % len(cells)]
            if state.owner[cell]:
                continue
            action = GAME.parse_action({"type": "capture", "cell": cell})
            at += 300
            begin = thread_time()
            GAME.apply(match, Input(at, Kind.ACTION, seat, action))
            GAME.apply(match, Input(at + 250, Kind.TICK))
            taken.append(thread_time() - begin)
    return taken


def expansion() -> tuple[int, float]:
    """One capture that goes on by itself over more than 200 tiles; tiles and seconds."""
    match = middle(1)
    state = match.game
    empire, target = 1, None
    city = next(c.cell for c in state.cities if state.owner[c.cell] == empire)
    near = sorted(range(state.topo.size), key=lambda c: state.topo.distance(c, city))
    cleared = [c for c in near if is_land(state, c) and state.topo.distance(c, city) > 1][:330]
    for cell in cleared:
        ground.set_item(state, cell, 0)
        ground.set_owner(state, cell, 0)
    views.flush(state)
    target = next(c for c in cleared if state.topo.distance(c, city) == 2)
    at = match.origin + match.now + 5_000
    GAME.advance(match, at)
    before = state.empires[empire].tiles
    action = GAME.parse_action({"type": "capture", "cell": target})
    GAME.apply(match, Input(at, Kind.ACTION, 0, action))
    seconds = timed(lambda: GAME.apply(match, Input(at + 250, Kind.TICK)))
    return state.empires[empire].tiles - before, seconds


def idle(match: Match[State]) -> float:
    """Seconds to advance one second in which nothing is due."""
    GAME.advance(match, match.origin + match.now + 20_000)
    runs = []
    for _ in range(50):
        runs.append(timed(lambda: GAME.advance(match, match.origin + match.now + 1_000)))
    return median(runs)


def anew(match: Match[State]) -> float:
    """The peer: every tile of every viewer looked at again."""
    state = match.game

    def look() -> None:
        for viewer in range(len(state.empires)):
            for cell in range(state.topo.size):
                code(state, viewer, cell)

    return median(timed(look) for _ in range(5))


def state_bytes() -> int:
    """Of a match in the middle, with everything derived; maps that matches share are not in it."""
    snapshot = GAME.dump(middle(2))
    gc.collect()
    tracemalloc.start()
    match = GAME.load(snapshot)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    derive_parts(match.game)
    return size


def decisions(preset: str, seats: int, seconds: int) -> tuple[float, float, float]:
    """Milliseconds of the strongest bots' decisions: the median, the 99th percentile, the longest.
    Collecting the garbage of the whole process is no part of a decision."""
    gc.collect()
    gc.disable()
    try:
        options = {"preset": preset, "ban_seconds": 0}
        strongest = [ROSTER[-1]] * seats
        match = simulation.Match(options, strongest, seed=3, clock=process_time)
        match.play(until_ms=seconds * 1000)
    finally:
        gc.enable()
    return thinking([match.report])


def main() -> None:
    match = middle()
    runs = captures(match)
    expansions = [expansion() for _ in range(5)]
    tiles, expanded = expansions[0][0], median(seconds for _, seconds in expansions)
    rows = [
        ("Duel map", map_seconds("duel", 9) * 1e3, "ms", 300),
        ("Classic map", map_seconds("classic", 5) * 1e3, "ms", 1500),
        (f"capture, median of {len(runs)}", median(runs) * 1e6, "us", 300),
        (f"auto-expansion over {tiles} tiles", expanded * 1e3, "ms", 10),
        ("an idle second", idle(match) * 1e6, "us", 200),
        ("state", state_bytes() / 1e6, "MB", 6),
        ("dump", len(GAME.dump(match)) / 1e3, "kB", 200),
    ]
    for preset, seats, seconds in (("duel", 2, 120), ("classic", 4, 30), ("mayhem", 6, 30)):
        _, most, longest = decisions(preset, seats, seconds)
        rows.append((f"bot's decision, {preset}, 99 of 100", most, "ms", 7))
        rows.append((f"bot's decision, {preset}, longest", longest, "ms", 10))
    print(f"{'MineWars, Classic with 4 players':<36}{'measured':>12}{'limit':>12}{'share':>8}")
    for name, value, unit, limit in rows:
        print(f"{name:<36}{value:>9.1f} {unit}{limit:>9} {unit}{value / limit:>8.2f}")
    ratio = anew(match) / median(runs)
    print(f"all viewers' maps worked out anew instead: {ratio:.0f} times as long as a capture")


if __name__ == "__main__":
    main()
