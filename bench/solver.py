"""The solver beside ms_toollib, which is written in Rust. `python -m bench.solver`

Times are processor time and medians, so that other work on the machine disturbs them little. Both
get the same positions and boards, in turns, each in the form that it takes them in; a ratio is how
many times quicker the solver is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import mean, median
from time import process_time

import ms_toollib

from games.bots.noguess import generate
from games.bots.solver import Solver, rectangle
from games.bots.solver.knowledge import OPEN
from games.bots.solver.reasoning import Reasoning, Tier
from games.bots.solver.selfplay import MINE_HERE, deal, play
from games.engine.rng import Rng

WIDTH, HEIGHT, MINES, START = 30, 16, 99, 93
EXPERT = rectangle(WIDTH, HEIGHT)
POSITIONS = 100
GAMES = 60
ROUNDS = 5


def timed(work: Callable[[], object]) -> float:
    """Milliseconds of processor time, the better of two runs."""
    found = []
    for _ in range(2):
        before = process_time()
        work()
        found.append(1000 * (process_time() - before))
    return min(found)


def in_turns(own: Callable[[], object], peer: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of processor time of both, the medians of rounds in which each has a turn."""
    times: tuple[list[float], list[float]] = [], []
    for _ in range(ROUNDS):
        for work, found in zip((own, peer), times, strict=True):
            before = process_time()
            work()
            found.append(1000 * (process_time() - before))
    return median(times[0]), median(times[1])


def as_rows(shown: dict[int, int]) -> list[list[int]]:
    """A position as the peer takes it."""
    return [[shown.get(y * WIDTH + x, 10) for x in range(WIDTH)] for y in range(HEIGHT)]


def peer_chances(rows: list[list[int]]) -> list[list[float]]:
    found: list[list[float]] = ms_toollib.cal_probability_onboard(rows, MINES)[0]
    return found


def own_chances(shown: dict[int, int]) -> Solver:
    solver = Solver(EXPERT, MINES)
    solver.reveal_all(shown)
    solver.probabilities()
    return solver


def stuck_positions() -> list[tuple[dict[int, int], list[int]]]:
    """Positions in the middle of a game (a third to two thirds open) with nothing proven safe."""
    found: list[tuple[dict[int, int], list[int]]] = []
    seed = 0
    while len(found) < POSITIONS:
        seed += 1
        numbers = deal(EXPERT, MINES, START, True, Random(seed))
        reasoning = Reasoning(EXPERT, MINES, 0.5, 200_000)
        known = reasoning.known
        known.reveal(START, numbers[START])
        while safe := reasoning.deduce(Tier.FULL):
            for cell in list(safe):
                known.reveal(cell, numbers[cell])
        shown = {c: numbers[c] for c in range(EXPERT.size) if known.status[c] == OPEN}
        if 160 <= len(shown) <= 320:
            found.append((shown, numbers))
    return found


def peer_game(numbers: list[int]) -> bool:
    """A bot on the peer: opens what has probability 0, else the smallest probability."""
    shown: dict[int, int] = {}
    rows = as_rows(shown)
    fresh = [START]
    while len(shown) < EXPERT.size - MINES:
        while fresh:
            cell = fresh.pop()
            if cell in shown:
                continue
            shown[cell] = rows[cell // WIDTH][cell % WIDTH] = numbers[cell]
            if numbers[cell] == 0:
                fresh += EXPERT.neighbours[cell]
        if len(shown) == EXPERT.size - MINES:
            break
        chances = peer_chances(rows)
        closed = [(chances[c // WIDTH][c % WIDTH], c) for c in range(EXPERT.size) if c not in shown]
        fresh = [cell for chance, cell in closed if chance == 0.0] or [min(closed)[1]]
        if numbers[fresh[0]] == MINE_HERE:
            return False
    return True


def own_game(numbers: list[int]) -> bool:
    """The same bot on the solver."""
    solver = Solver(EXPERT, MINES)
    solver.reveal(START, numbers[START])
    closed = EXPERT.size - MINES - 1
    while closed:
        fresh = list(solver.deduce())
        if not fresh:
            odds = solver.probabilities()
            fresh = [min(odds.undecided(), key=odds.cells.__getitem__)]
        for cell in fresh:
            if numbers[cell] == MINE_HERE:
                return False
            solver.reveal(cell, numbers[cell])
        closed -= len(fresh)
    return True


def row(what: str, own: float, peer: float | None, wanted: str) -> None:
    beside = "" if peer is None else f"{peer:9.2f} ms {peer / own:8.1f}x"
    print(f"{what:50} {own:9.2f} ms {beside:22} {wanted}")


def positions() -> None:
    own, peer, step, peer_step = [], [], [], []
    for shown, numbers in stuck_positions():
        rows = as_rows(shown)
        times = in_turns(partial(own_chances, shown), partial(peer_chances, rows))
        own.append(times[0])
        peer.append(times[1])
        before = own_chances(shown)
        odds = before.probabilities()
        opened = min(
            (c for c in odds.undecided() if numbers[c] != MINE_HERE), key=odds.cells.__getitem__
        )
        rows[opened // WIDTH][opened % WIDTH] = numbers[opened]
        forks = [before.fork() for _ in range(ROUNDS)]
        times = in_turns(
            partial(one_more, forks, opened, numbers[opened]), partial(peer_chances, rows)
        )
        step.append(times[0])
        peer_step.append(times[1])
    row("probabilities of a position, from nothing", median(own), median(peer), "1.5x wanted")
    row("probabilities after one more cell", median(step), median(peer_step), "3x wanted")


def one_more(forks: list[Solver], cell: int, number: int) -> None:
    """Each turn gets a solver that does not know the cell yet."""
    solver = forks.pop()
    solver.reveal(cell, number)
    solver.probabilities()


def games() -> None:
    boards = [deal(EXPERT, MINES, START, True, Random(i)) for i in range(GAMES)]
    times = [in_turns(partial(own_game, b), partial(peer_game, b)) for b in boards]
    own, peer = [t[0] for t in times], [t[1] for t in times]
    row("an expert game, opening the least probable", mean(own), mean(peer), "6x wanted")
    full = [timed(lambda b=b: play(EXPERT, MINES, START, b)) for b in boards]
    row("an expert game, at full strength", mean(full), mean(peer), "30 ms wanted")
    large = rectangle(100, 100)
    boards = [deal(large, 2000, 5050, True, Random(i)) for i in range(20)]
    times = [timed(lambda b=b: play(large, 2000, 5050, b)) for b in boards]
    row("a game of 100x100 with 20 % mines", mean(times), None, "150 ms wanted")


LATTICES: dict[str, Callable[[int, int], bool]] = {
    "every second cell": lambda x, y: x % 2 == 1 and y % 2 == 1,
    "every second cell, from the corner": lambda x, y: x % 2 == 0 and y % 2 == 0,
    "chequered": lambda x, y: (x + y) % 2 == 0,
    "every fourth cell, slanted": lambda x, y: (x + 2 * y) % 4 == 0,
}


def lattices() -> None:
    worst = 0.0
    for pattern in LATTICES.values():
        for size in (9, 11, 13):
            for density in (0.2, 0.35, 0.5):
                worst = max(worst, timed(lattice(size, pattern, density, 1)))
    row("the worst lattice position up to 13x13", worst, None, "500 ms wanted")


def lattice(
    size: int, pattern: Callable[[int, int], bool], density: float, seed: int
) -> Callable[[], object]:
    """Numbers in a regular pattern with everything else hidden: the widest frontiers there are."""
    topology = rectangle(size, size)
    open_cells = [c for c in range(size * size) if pattern(c % size, c // size)]
    hidden = sorted(set(range(size * size)) - set(open_cells))
    mines = set(Random(seed).sample(hidden, round(density * len(hidden))))
    shown = {c: sum(n in mines for n in topology.neighbours[c]) for c in open_cells}

    def work() -> object:
        solver = Solver(topology, len(mines))
        solver.reveal_all(shown)
        return solver.probabilities()

    return work


def boards() -> None:
    times = [
        timed(lambda i=i: generate(WIDTH, HEIGHT, MINES, START, Rng(i.to_bytes(32, "little"))))
        for i in range(100)
    ]
    row("an expert board without guessing", median(times), None, "10 ms wanted")


if __name__ == "__main__":
    print(f"{'':50} {'solver':>12} {'ms_toollib':>12} {'ratio':>8}")
    positions()
    games()
    lattices()
    boards()
