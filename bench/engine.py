"""The engine alone: laying boards beside ms_toollib, Area Attack's start, claims, replay, memory.

python -m bench.engine
"""

from __future__ import annotations

import gc
import sys
import time
import tracemalloc
from collections.abc import Callable
from random import Random
from statistics import median, quantiles
from typing import Any

import ms_toollib

from games.engine.board import Board
from games.engine.field import MineField
from games.engine.game import ALL, Input, Kind, Setup, Viewer
from games.engine.grid import square8
from games.engine.laying import lay
from games.engine.registry import game as game_of
from games.engine.rng import derive

SEED = bytes(range(32))
SEATS, COMMANDS, MINUTES = 4, 3_000, 7
VIEWERS: tuple[Viewer, ...] = (None, *range(SEATS))

# Far goals, so that a match lasts its full seven minutes.
OPTIONS = {"size": 40, "attack_at_claimed": 1, "lock_at_claimed": 1}


def lay_board(number: int) -> MineField:
    """Expert: 99 mines on 16x30, all numbers."""
    return MineField(square8(30, 16), lay(derive(SEED, f"mines {number}"), 480, 99))


def microseconds(work: Callable[[int], object], times: int) -> float:
    """The median over runs of a hundred, each after the other."""
    runs = []
    for run in range(times // 100):
        begin = time.process_time()
        for i in range(100):
            work(run * 100 + i)
        runs.append((time.process_time() - begin) * 1e4)
    return median(runs)


def starts() -> list[float]:
    """Milliseconds of each start of Area Attack on the largest board: mines, numbers, the walls
    between first areas, and these opened. Few mines make the largest areas and longest walls."""
    game, random, times = game_of("area-attack"), Random(1), []
    for number in range(60):
        density = (0.05, 0.05, 0.35, random.uniform(0.05, 0.35))[number % 4]
        options = game.parse_options({"size": 100, "density": density, "min_start_distance": 0})
        setup = Setup("area-attack", 1, random.randbytes(32), 2 + number % 3, options, 0)
        state = game.start(setup)
        begin = time.process_time()
        game.advance(state, 30_000)  # nobody has picked: random starts, and the match is live
        times.append((time.process_time() - begin) * 1e3)
    return times


def a_full_match() -> tuple[Setup, list[tuple[int, int | None, dict[str, Any] | None]]]:
    """A seven-minute match of four: time, seat and raw action of each of its 3,000 commands."""
    game = game_of("area-attack")
    setup = Setup("area-attack", 1, SEED, SEATS, game.parse_options(OPTIONS), 0)
    state, random = game.start(setup), Random(1)
    log: list[tuple[int, int | None, dict[str, Any] | None]] = []

    def give(at: int, seat: int, raw: dict[str, Any]) -> None:
        log.append((at, seat, raw))
        game.apply(state, Input(at, Kind.ACTION, seat, game.parse_action(raw)))

    for seat, cell in enumerate((205, 234, 1405, 1434)):
        give(seat, seat, {"type": "pick", "cell": cell})
        give(seat, seat, {"type": "confirm"})
    step = MINUTES * 60_000 // COMMANDS
    at = 0
    while len(log) < COMMANDS:
        at += step
        seat = random.randrange(SEATS)
        give(at, seat, _command(random, state.game, seat))
    return setup, log


def _command(random: Random, match: Any, seat: int) -> dict[str, Any]:
    """Mostly flags and claims beside the own area, as people play: the odd mine, some chords."""
    dice, near = random.random(), match.grid.neighbours
    own = [cell for cell in range(match.grid.size) if match.owners[cell] == seat]
    if dice < 0.1 and own:
        return {"type": "chord", "cell": random.choice(own)}
    edge = [c for cell in own for c in near[cell] if match.owners[c] > SEATS] or [0]
    mines = [cell for cell in edge if match.mines[cell]]
    if dice < 0.5:
        cell = random.choice(mines or edge)
        return {"type": "flag", "cell": cell, "on": cell not in match.flags[seat]}
    safe = [cell for cell in edge if not match.mines[cell]]
    return {
        "type": "claim",
        "cell": random.choice(mines if dice < 0.52 and mines else safe or edge),
    }


def claims(setup: Setup, log: list[Any]) -> list[float]:
    """Microseconds of each claim: check, apply, and its events sorted to every viewer."""
    game = game_of("area-attack")
    state, times = game.start(setup), []
    for at, seat, raw in log:
        given = Input(at, Kind.ACTION, seat, game.parse_action(raw))
        begin = time.process_time()
        inboxes: dict[Viewer, list[Any]] = {viewer: [] for viewer in VIEWERS}
        for addressed in game.apply(state, given):
            for viewer in VIEWERS if addressed.to == ALL else addressed.to:
                if viewer in inboxes:
                    inboxes[viewer].append(addressed.event)
        if raw["type"] == "claim":
            times.append((time.process_time() - begin) * 1e6)
    return times


def replay(setup: Setup, log: list[Any]) -> tuple[float, Any]:
    """Milliseconds from the raw log to the final state."""
    game = game_of("area-attack")
    begin = time.process_time()
    state = game.start(setup)
    for at, seat, raw in log:
        game.apply(state, Input(at, Kind.ACTION, seat, game.parse_action(raw)))
    return (time.process_time() - begin) * 1e3, state


def kilobytes(setup: Setup, log: list[Any]) -> float:
    """The memory of a match with all its commands applied."""
    game_of("area-attack").start(setup)  # shared grids are made once, not per match
    gc.collect()
    tracemalloc.start()
    state = replay(setup, log)[1]
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del state
    return held / 1024


def row(what: str, figure: float, unit: str, goal: float, peer: str = "") -> None:
    fine = "ok" if figure <= goal else "MISSED"
    print(f"{what:<44}{figure:>9.1f} {unit:<3} goal {goal:>6.0f} {fine:<7}{peer}")


def main() -> None:
    laid = microseconds(lay_board, 3_000)
    peer = microseconds(lambda i: ms_toollib.laymine(16, 30, 99, 0, 0), 3_000)
    print(f"Python {sys.version.split()[0]}, one core, medians")
    ratio = f"ms_toollib {peer:.1f} us, ratio {laid / peer:.2f}"
    row("16x30 board laid and numbered", laid, "us", 200, ratio)
    cleared = microseconds(lambda i: Board(lay_board(i)).reveal(0), 1_000)
    print(f"{'  the same, and its first reveal with openings':<46}{cleared:>7.1f} us")
    row("Area Attack's start, 100x100, worst of 60", max(starts()), "ms", 250)
    setup, log = a_full_match()
    times = claims(setup, log)
    row(f"Area Attack claim, 4 seats ({len(times)} claims)", median(times), "us", 60)
    row("  p99, floods and regenerations included", quantiles(times, n=100)[98], "us", 1000)
    runs = [replay(setup, log) for _ in range(5)]
    row(f"replay of 7 minutes, {len(log)} commands", median(ms for ms, _ in runs), "ms", 400)
    row("40x40 match with 4 seats", kilobytes(setup, log), "KB", 1024)
    print(f"  (that match: {runs[0][1].now / 60_000:.1f} min, areas {runs[0][1].game.areas})")


if __name__ == "__main__":
    main()
