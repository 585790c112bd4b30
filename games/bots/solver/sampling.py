"""Sampling for components with too many states: part of each layer stands for the whole."""

from __future__ import annotations

from random import Random


class Thinner:
    """Keeps about `keep` states of a layer, so that every sum keeps its expected value.

    A state whose weight is below the layer's share `total / keep` survives with a probability of
    2**-e (about its share) and then counts 2**e times. Heavy states always stay as they are.
    """

    __slots__ = ("_rng", "keep")

    # extra bits for each coefficient: the expected weight never grows, so by Markov's inequality
    # it goes over this with a probability below 2**-64
    headroom = 64

    def __init__(self, keep: int, rng: Random) -> None:
        self.keep = keep
        self._rng = rng

    def __call__(self, layer: dict[int, int], width: int) -> dict[int, int]:
        # modulo 2**width - 1 a packed polynomial is the sum of its coefficients
        ones = (1 << width) - 1
        weights = [ways % ones for ways in layer.values()]
        share = (sum(weights) // self.keep + 1).bit_length()
        draw = self._rng.getrandbits
        kept: dict[int, int] = {}
        for (state, ways), weight in zip(layer.items(), weights, strict=True):
            light = share - weight.bit_length()
            if light <= 0:
                kept[state] = ways
            elif draw(light) == 0:
                kept[state] = ways << light
        return kept
