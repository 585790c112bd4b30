"""Sampling for components with too many states to count.

A solution is found first, then changed again and again: a patch of neighbouring groups is drawn
anew, exactly according to the weights, with everything around the patch kept as it is. Mines weigh
what the board's density suggests, which is taken out again afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log2
from random import Random

from .counting import Packed, Step, TooManyStates, plan
from .knowledge import Contradiction
from .weighing import Sweep

PATCH = 22  # groups drawn anew at a time
ROUNDS = 500
WARM_UP = 50
PATCH_STATES = 5_000
PRECISION = 64  # bits of a sampled weight
UNSEEN = 1e-3  # weight of mine counts that no sample had, in samples
LARGEST = 900  # bits that a float can hold, and some to spare


class SampledCounts(Packed):
    """Estimates in the form of exact counts. Nothing is forced: a sample proves nothing."""

    def __init__(
        self,
        sizes: Sequence[int],
        members: Sequence[int],
        needs: Sequence[int],
        ratio: float,
        rng: Random,
    ) -> None:
        """Without any knowledge a cell is a mine with odds of `ratio` to one."""
        drawn = solutions(sizes, members, needs, ratio, rng)
        seen = Counter([sum(solution) for solution in drawn])
        average = [sum(mines) / len(drawn) for mines in zip(*drawn, strict=True)]
        usual = sum(average)
        cells = sum(sizes)
        width = PRECISION + LARGEST + len(drawn).bit_length() + cells.bit_length()
        total = 0
        self._weights = [0] * len(sizes)
        for k in range(cells + 1):
            shift = (usual - k) * log2(ratio)
            if abs(shift) > LARGEST:
                continue
            some = (seen[k] + UNSEEN) * 2.0 ** (PRECISION + shift)
            total += int(some) << k * width
            # samples with exactly k mines are few: all of them tell how the mines are shared out
            for g, mines in enumerate(average):
                self._weights[g] += int(some * min(sizes[g], mines * k / usual)) << k * width
        super().__init__(cells, width, total, [(0, size) for size in sizes], sampled=True)

    def weights(self) -> list[int]:
        return self._weights


def solutions(
    sizes: Sequence[int],
    members: Sequence[int],
    needs: Sequence[int],
    ratio: float,
    rng: Random,
) -> list[list[int]]:
    """Solutions, each as the mines of every group, about as often as their weight asks for."""
    steps, slot_mask, _ = plan(sizes, members, needs)
    solution = first_solution(steps, slot_mask)
    beside: list[list[int]] = [[] for _ in sizes]
    for mask in members:
        around = [g for g in range(len(sizes)) if mask >> g & 1]
        for g in around:
            beside[g] += around
    found = []
    size = PATCH
    for i in range(ROUNDS):
        patch = [rng.randrange(len(sizes))]
        for g in patch:
            patch += [other for other in dict.fromkeys(beside[g]) if other not in patch]
            if len(patch) >= size:
                break
        try:
            redraw(solution, patch[:size], sizes, members, needs, ratio, rng)
        except TooManyStates:
            size = max(1, size - 2)
        if i >= WARM_UP:
            found.append(solution.copy())
    return found


def redraw(
    solution: list[int],
    patch: list[int],
    sizes: Sequence[int],
    members: Sequence[int],
    needs: Sequence[int],
    ratio: float,
    rng: Random,
) -> None:
    """Draw the groups of the patch anew; the others stay."""
    inside: dict[int, int] = {}
    for mask, need in zip(members, needs, strict=True):
        part = sum([1 << i for i, g in enumerate(patch) if mask >> g & 1])
        if part:
            fixed = sum([x for g, x in enumerate(solution) if mask >> g & 1])
            own = sum([solution[g] for g in patch if mask >> g & 1])
            inside[part] = need - fixed + own
    steps, slot_mask, _ = plan([sizes[g] for g in patch], list(inside), list(inside.values()))
    drawn = Sweep(steps, slot_mask, ratio, PATCH_STATES).draw(0, rng)
    for step, mines in zip(steps, drawn, strict=True):
        solution[patch[step.group]] = mines


def first_solution(steps: Sequence[Step], slot_mask: int) -> list[int]:
    """Any solution, by trying one group after another and remembering dead ends."""
    dead: set[tuple[int, int]] = set()
    chosen = [0] * len(steps)
    states = [0]
    options = [_untried(steps[0], 0, slot_mask)]
    while options:
        depth = len(options) - 1
        if not options[-1]:
            dead.add((depth, states[-1]))
            options.pop()
            states.pop()
            continue
        change, mines = options[-1].pop()
        state = states[-1] + change
        chosen[steps[depth].group] = mines
        if depth + 1 == len(steps):
            return chosen
        if (depth + 1, state) not in dead:
            states.append(state)
            options.append(_untried(steps[depth + 1], state, slot_mask))
    raise Contradiction("no arrangement fits the numbers")


def _untried(step: Step, state: int, slot_mask: int) -> list[tuple[int, int]]:
    found = step.choose(state & step.relevant, slot_mask)
    return [(change, mines) for change, _, mines in found]
