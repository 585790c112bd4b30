"""Proofs from the mine count of the whole board, for components and the cells outside."""

from __future__ import annotations

from collections.abc import Iterator

from .components import Component
from .counting import Packed
from .knowledge import MINE, SAFE, Contradiction


def bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def allowed_counts(possible: list[int], rest: int, mines: int) -> list[int]:
    """For each component, a bit mask of its possible mine counts: those that the total allows.

    `rest` cells outside the components take what is left over.
    """
    before = [1]
    for mask in possible:
        reached = 0
        for k in bits(mask):
            reached |= before[-1] << k
        before.append(reached)
    # mines that the components so far may hold so that the others and the outside can complete
    wanted = ((1 << (min(mines, rest) + 1)) - 1) << max(0, mines - rest)
    allowed = [0] * len(possible)
    for i in range(len(possible) - 1, -1, -1):
        earlier = 0
        for k in bits(possible[i]):
            if before[i] & (wanted >> k):
                allowed[i] |= 1 << k
            earlier |= wanted >> k
        wanted = earlier
    return allowed


def verdicts(
    components: list[tuple[Component, Packed]], rest: int, mines: int
) -> tuple[list[tuple[list[int], int]], int | None]:
    """Groups of cells with their verdict, and the verdict on all the cells outside or None."""
    ranges = [(0, c.cells) if c.sampled else c.range() for _, c in components]
    fewest = sum([low for low, _ in ranges])
    most = sum([high for _, high in ranges])
    if fewest > mines or most + rest < mines:
        raise Contradiction("no arrangement has the right number of mines")
    outside = SAFE if fewest == mines else MINE if most + rest == mines else None
    if most <= mines and mines - rest <= fewest:
        return [], outside
    possible = []
    for (_, counts), (low, high) in zip(components, ranges, strict=True):
        if counts.sampled:
            possible.append((1 << (high + 1)) - 1)
        else:
            ways = counts.unpack(counts.total, low, high)
            possible.append(sum([1 << k for k, n in enumerate(ways, low) if n]))
    found: list[tuple[list[int], int]] = []
    for (component, counts), all_counts, allowed in zip(
        components, possible, allowed_counts(possible, rest, mines), strict=True
    ):
        if not allowed:
            raise Contradiction("no arrangement has the right number of mines")
        if allowed == all_counts or counts.sampled:
            continue
        keep = (1 << counts.width) - 1
        mask = sum([keep << k * counts.width for k in bits(allowed)])
        total = counts.total & mask
        for group, weights in zip(component.groups, counts.weights, strict=True):
            if weights & mask == 0:
                found.append((group, SAFE))
            elif weights & mask == total * len(group):
                found.append((group, MINE))
    return found, outside
