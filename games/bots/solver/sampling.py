"""Sampling for components with too many states to count.

A solution is found first, then changed again and again: a patch of neighbouring groups is drawn
anew, exactly according to the weights, with everything around the patch kept as it is. Mines weigh
what the board's density suggests, which is taken out again afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2
from random import Random

from .agenda import Agenda, TooManyStates
from .counting import Packed
from .knowledge import Contradiction
from .weighing import Sweep

PATCH = 22  # groups drawn anew at a time
ROUNDS = 500
WARM_UP = 50
PATCH_STATES = 5_000
PRECISION = 64  # bits of a sampled weight
UNSEEN = 1e-3  # weight of mine counts that no sample had, in samples
LARGEST = 900  # bits that a float can hold, and some to spare


def sampled_counts(
    sizes: Sequence[int],
    signatures: Sequence[Sequence[int]],
    needs: Mapping[int, int],
    ratio: float,
    rng: Random,
) -> Packed:
    """Estimates in the form of exact counts. Nothing is forced: a sample proves nothing.

    Without any knowledge a cell is a mine with odds of `ratio` to one.
    """
    drawn = solutions(sizes, signatures, needs, ratio, rng)
    seen = Counter([sum(solution) for solution in drawn])
    average = [sum(mines) / len(drawn) for mines in zip(*drawn, strict=True)]
    usual = sum(average)
    cells = sum(sizes)
    width = PRECISION + LARGEST + len(drawn).bit_length() + cells.bit_length()
    total = 0
    weights = [0] * len(sizes)
    for k in range(cells + 1):
        shift = (usual - k) * log2(ratio)
        if abs(shift) > LARGEST:
            continue
        some = (seen[k] + UNSEEN) * 2.0 ** (PRECISION + shift)
        total += int(some) << k * width
        # samples with exactly k mines are few: all of them tell how the mines are shared out
        for g, mines in enumerate(average):
            weights[g] += int(some * min(sizes[g], mines * k / usual)) << k * width
    return Packed(cells, width, total, [(0, size) for size in sizes], weights, sampled=True)


def solutions(
    sizes: Sequence[int],
    signatures: Sequence[Sequence[int]],
    needs: Mapping[int, int],
    ratio: float,
    rng: Random,
) -> list[list[int]]:
    """Solutions, each as the mines of every group, about as often as their weight asks for."""
    solution = first_solution(Agenda(sizes, signatures, needs))
    around: dict[int, list[int]] = {number: [] for number in needs}
    for g, signature in enumerate(signatures):
        for number in signature:
            around[number].append(g)
    found = []
    size = PATCH
    for i in range(ROUNDS):
        patch = [rng.randrange(len(sizes))]
        for g in patch:
            beside = dict.fromkeys([other for n in signatures[g] for other in around[n]])
            patch += [other for other in beside if other not in patch]
            if len(patch) >= size:
                break
        try:
            redraw(solution, patch[:size], sizes, signatures, ratio, rng)
        except TooManyStates:
            size = max(1, size - 2)
        if i >= WARM_UP:
            found.append(solution.copy())
    return found


def redraw(
    solution: list[int],
    patch: list[int],
    sizes: Sequence[int],
    signatures: Sequence[Sequence[int]],
    ratio: float,
    rng: Random,
) -> None:
    """Draw the groups of the patch anew; the others stay."""
    # what the patch has now is what the numbers need of it
    inside = {number: 0 for g in patch for number in signatures[g]}
    for g in patch:
        for number in signatures[g]:
            inside[number] += solution[g]
    agenda = Agenda([sizes[g] for g in patch], [signatures[g] for g in patch], inside)
    drawn = Sweep(agenda, ratio, PATCH_STATES).draw(agenda.guard, rng)
    for i, mines in zip(agenda.groups, drawn, strict=True):
        solution[patch[i]] = mines


def first_solution(agenda: Agenda) -> list[int]:
    """Any solution, by trying one group after another and remembering dead ends."""
    dead: set[tuple[int, int]] = set()
    chosen = [0] * len(agenda.groups)
    states = [agenda.start]
    options = [_untried(agenda, 0, agenda.start)]
    while options:
        depth = len(options) - 1
        if not options[-1]:
            dead.add((depth, states[-1]))
            options.pop()
            states.pop()
            continue
        mines, state = options[-1].pop()
        chosen[agenda.groups[depth]] = mines
        if depth + 1 == len(chosen):
            return chosen
        if (depth + 1, state) not in dead:
            states.append(state)
            options.append(_untried(agenda, depth + 1, state))
    raise Contradiction("no arrangement fits the numbers")


def _untried(agenda: Agenda, depth: int, state: int) -> list[tuple[int, int]]:
    """The mines that the group may get, each with the state it leads to."""
    delta, room, guard = agenda.deltas[depth], agenda.rooms[depth], agenda.guard
    after = [(x, state - x * delta) for x in range(agenda.sizes[depth] + 1)]
    return [(x, s) for x, s in after if s & (room - s) & guard == guard]
