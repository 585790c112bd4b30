"""Works out what the digits of a map prove, and how likely an item lies elsewhere: as much as a bot
of some tier works out, and never for long."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.bots.solver import Contradiction, Tier, Topology
from games.bots.solver import rules as proofs
from games.bots.solver.agenda import TooManyStates
from games.bots.solver.components import Component, Partition
from games.bots.solver.counting import count
from games.bots.solver.knowledge import MINE, SAFE, Knowledge
from games.bots.solver.probabilities import chances, spread
from games.modes.minewars.rules.presets import PRESETS, TOPOLOGY
from games.modes.minewars.rules.topology import topology

STATES: Final = 600
"""A piece of the frontier with more to count is judged by eye: a bot has no time."""
REMEMBERED: Final = 400
"""Pieces of the frontier whose odds are kept: most are the same at the next decision."""

Piece = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, ...], ...]]
Chances = tuple[tuple[tuple[int, int], ...], tuple[float, ...]] | None


@lru_cache(maxsize=16)
def _shape(name: str, radius: int) -> Topology:
    return Topology(topology(name, radius).neighbours)


@lru_cache(maxsize=1)
def prepare() -> None:
    """Make what all matches on a standard map share, before the first decision asks for it."""
    for preset in PRESETS.values():
        _shape(TOPOLOGY.default, preset["radius"])


class Digits:
    """The digits of one map, looked at again and again."""

    def __init__(self, name: str, radius: int, tier: Tier, density: float) -> None:
        self._shape = _shape(name, radius)
        self._tier = tier
        self._density = min(0.95, max(0.05, density))
        self._known = Knowledge(self._shape, None)
        self._odds: dict[int, float] = {}
        self._kept: dict[Piece, Chances] = {}

    def read(self, ground: bytearray, numbers: dict[int, int]) -> tuple[set[int], set[int]]:
        """The tiles proven safe and those proven to hold an item. `ground` says of each tile
        whether it may hold one (UNKNOWN), does not (SAFE) or does (MINE)."""
        self._odds = {}
        known = self._known = Knowledge(self._shape, None)
        known.status[:] = ground
        try:
            known.load(numbers)
            proofs.single_point(known)
            if self._tier >= Tier.SUBSET:
                proofs.subset(known)
            if self._tier >= Tier.FULL:
                self._count(known)
        except Contradiction:
            # a digit that was lost from sight a moment ago; until the next look nothing is known
            self._known = Knowledge(self._shape, None)
            self._odds = {}
        return self._known.safe, self._known.mines

    def risk(self, cell: int) -> float:
        """The probability of an item on a tile of which nothing is proven."""
        if cell in self._odds:
            return self._odds[cell]
        known = self._known
        shares = [
            known.need[number] / known.hidden[number].bit_count()
            for number in self._shape.neighbours[cell]
            if known.hidden[number]
        ]
        return max(shares, default=self._density)

    def _count(self, known: Knowledge) -> None:
        """Piece by piece of the frontier, all arrangements that fit."""
        for piece in Partition().update(known):
            found = self._chances(piece)
            if found is None:
                continue
            forced, odds = found
            for group, (fewest, most), chance in zip(piece.groups, forced, odds, strict=True):
                if most == 0 or fewest == len(group):
                    known.settle_all(group, SAFE if most == 0 else MINE)
                for cell in group:
                    self._odds[cell] = chance
        proofs.single_point(known)

    def _chances(self, piece: Component) -> Chances:
        """The fewest and most items of each group of the piece and how likely each of its tiles
        has one; None: too much to count."""
        key = tuple(sorted(piece.needs.items())), tuple(map(tuple, piece.groups))
        if key not in self._kept:
            if len(self._kept) >= REMEMBERED:
                self._kept.clear()
            self._kept[key] = self._counted(piece)
        return self._kept[key]

    def _counted(self, piece: Component) -> Chances:
        sizes = [len(group) for group in piece.groups]
        try:
            counts = count(sizes, piece.signatures, piece.needs, STATES)
        except TooManyStates:
            return None
        if not counts.total:
            raise Contradiction("no arrangement fits the digits")
        odds = self._density / (1 - self._density)
        ways = spread(counts, odds).ways
        share = [1 / sum(ways)] * len(ways)
        return tuple(counts.forced), tuple(chances(piece, counts, share, odds))
