"""Sampling for components with too many states: part of each layer stands for the whole."""

from __future__ import annotations

from math import comb, log2
from random import Random


class Thinner:
    """Keeps about `keep` states of a layer, so that every sum keeps its expected value.

    A state counts for as much as its weight and a rough guess of the ways to complete it. If that
    is below the share `total / keep`, the state survives with a probability of 2**-e (about its
    part of a share) and then weighs 2**e times as much; the others always stay as they are.
    """

    __slots__ = ("_rng", "_rooms", "keep")

    # extra bits for each coefficient: the expected weight never grows, so by Markov's inequality
    # it goes over this with a probability below 2**-64
    headroom = 64

    def __init__(self, keep: int, rng: Random) -> None:
        self.keep = keep
        self._rng = rng
        self._rooms: dict[int, int] = {}

    def follow(self, rooms: list[tuple[int, int]]) -> None:
        """After a step: the slots of the numbers around, and the cells each of them has left."""
        for shift, room in rooms:
            if room:
                self._rooms[shift] = room
            else:
                self._rooms.pop(shift, None)

    def __call__(self, layer: dict[int, int], width: int, slot_mask: int) -> dict[int, int]:
        # modulo 2**width - 1 a packed polynomial is the sum of its coefficients
        ones = (1 << width) - 1
        # a cell has about two numbers, so each number accounts for half of its arrangements
        parts = [
            (shift, [log2(comb(room, need)) / 2 for need in range(room + 1)])
            for shift, room in self._rooms.items()
        ]
        value = [
            log2(ways % ones) + sum([part[state >> shift & slot_mask] for shift, part in parts])
            for state, ways in layer.items()
        ]
        top = max(value)
        share = top + log2(sum([2.0 ** (v - top) for v in value]) / self.keep)
        draw = self._rng.getrandbits
        kept: dict[int, int] = {}
        for (state, ways), v in zip(layer.items(), value, strict=True):
            light = int(share - v)
            if light <= 0:
                kept[state] = ways
            elif draw(light) == 0:
                kept[state] = ways << light
        return kept
