"""Going through an agenda with plain floats: each mine weighs the same everywhere.

Quicker than exact counting and less precise: used to look ahead and to sample.
"""

from __future__ import annotations

from random import Random

from .agenda import BINOMIALS, Agenda, TooManyStates


class Sweep:
    """The weight of all partial solutions, layer by layer; `last` are the final states."""

    __slots__ = ("_agenda", "_factors", "_layers", "last")

    def __init__(self, agenda: Agenda, ratio: float, cap: int) -> None:
        """A mine weighs `ratio` times as much as a safe cell."""
        guard = agenda.guard
        layer = {agenda.start: 1.0}
        by_size = {
            size: [ways * ratio**x for x, ways in enumerate(BINOMIALS[size])]
            for size in set(agenda.sizes)
        }
        self._agenda = agenda
        self._factors = [by_size[size] for size in agenda.sizes]
        self._layers = [layer]
        states = 0
        for factors, delta, room in zip(self._factors, agenda.deltas, agenda.rooms, strict=True):
            following: dict[int, float] = {}
            get = following.get
            for state, weight in layer.items():
                for factor in factors:
                    if state & (room - state) & guard == guard:
                        following[state] = get(state, 0.0) + weight * factor
                    state -= delta
            layer = following
            self._layers.append(layer)
            states += len(layer)
            if states > cap:
                raise TooManyStates
        self.last = layer

    def back_from(self, last: int) -> list[float]:
        """For each step, the mines of its group summed over the solutions that end in `last`."""
        following = {last: 1.0}
        found = [0.0] * len(self._factors)
        for i in range(len(self._factors) - 1, -1, -1):
            factors, delta = self._factors[i], self._agenda.deltas[i]
            weight_of = self._layers[i].get
            before: dict[int, float] = {}
            get = before.get
            mines = 0.0
            for state, rest in following.items():
                for x, factor in enumerate(factors):
                    weight = weight_of(state)
                    if weight is not None:
                        part = rest * factor
                        before[state] = get(state, 0.0) + part
                        if x:
                            mines += part * weight * x
                    state += delta
            found[i] = mines
            following = before
        return found

    def draw(self, last: int, rng: Random) -> list[int]:
        """A random solution that ends in `last`: the mines of each step's group."""
        found = [0] * len(self._factors)
        state = last
        for i in range(len(self._factors) - 1, -1, -1):
            layer, delta = self._layers[i], self._agenda.deltas[i]
            ways = [
                layer.get(state + x * delta, 0.0) * factor
                for x, factor in enumerate(self._factors[i])
            ]
            found[i] = rng.choices(range(len(ways)), ways)[0]
            state += found[i] * delta
        return found
