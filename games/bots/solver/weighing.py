"""Going through the steps of a plan with plain floats: each mine weighs the same everywhere.

Quicker than exact counting and less precise: used to look ahead and to sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .counting import Step, TooManyStates

WeighedOption = tuple[int, float, int]  # change of the state, weight, mines


class Sweep:
    """The weight of all partial solutions, layer by layer; `last` are the final states."""

    __slots__ = ("_layers", "_steps", "_tables", "last")

    def __init__(self, steps: Sequence[Step], slot_mask: int, ratio: float, cap: int) -> None:
        """A mine weighs `ratio` times as much as a safe cell."""
        powers = [ratio**x for x in range(max([step.size for step in steps]) + 1)]
        layer = {0: 1.0}
        self._steps = steps
        self._layers = [layer]
        self._tables: list[dict[int, list[WeighedOption]]] = []
        states = 0
        for step in steps:
            relevant = step.relevant
            table: dict[int, list[WeighedOption]] = {}
            following: dict[int, float] = {}
            get = following.get
            for state, weight in layer.items():
                part = state & relevant
                options = table.get(part)
                if options is None:
                    options = table[part] = [
                        (change, ways * powers[x], x)
                        for change, ways, x in step.choose(part, slot_mask)
                    ]
                for change, factor, _ in options:
                    after = state + change
                    following[after] = get(after, 0.0) + weight * factor
            self._tables.append(table)
            layer = following
            self._layers.append(layer)
            states += len(layer)
            if states > cap:
                raise TooManyStates
        self.last = layer

    def back_from(self, last: int) -> list[float]:
        """For each step, the mines of its group summed over the solutions that end in `last`."""
        following = {last: 1.0}
        found = [0.0] * len(self._steps)
        for i in range(len(self._steps) - 1, -1, -1):
            table, relevant = self._tables[i], self._steps[i].relevant
            before: dict[int, float] = {}
            get = following.get
            mines = 0.0
            for state, weight in self._layers[i].items():
                ways = 0.0
                for change, factor, x in table[state & relevant]:
                    rest = get(state + change)
                    if rest is not None:
                        rest *= factor
                        ways += rest
                        if x:
                            mines += rest * weight * x
                if ways:
                    before[state] = ways
            found[i] = mines
            following = before
        return found

    def draw(self, last: int, rng: Random) -> list[int]:
        """A random solution that ends in `last`: the mines of each step's group."""
        found = [0] * len(self._steps)
        after = last
        for i in range(len(self._steps) - 1, -1, -1):
            table, relevant = self._tables[i], self._steps[i].relevant
            ways = [
                (weight * factor, state, x)
                for state, weight in self._layers[i].items()
                for change, factor, x in table[state & relevant]
                if state + change == after
            ]
            point = rng.random() * sum([way[0] for way in ways])
            for way in ways:
                _, after, found[i] = way
                point -= way[0]
                if point <= 0.0:
                    break
        return found
