"""The island: made from the seed alone, tile by tile, never splitting what is land.

Every lake, river, mountain and forest is taken out of the land one tile at a time, and only where
the land around that tile stays in one piece by itself. So the land as a whole is in one piece,
without ever searching it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from games.engine.rng import Rng, derive

from .regions import grow_regions, spread_percent
from .ruleset import Ruleset
from .tiles import FERTILE, FOREST, FOUNDATION, LAND, MOUNTAIN, WATER
from .topology import OUTSIDE, Topology, topology


@dataclass(frozen=True, slots=True)
class Island:
    """A map before anybody owns anything. `regions[cell]` is the number of a city, or NO_REGION."""

    kinds: bytes
    regions: bytes
    cities: tuple[int, ...]
    rivers: tuple[tuple[int, ...], ...]
    resources: tuple[int, ...]
    """The yield of each region per second."""

    @property
    def spread(self) -> int:
        """The richest region's resources in percent of the poorest's."""
        return spread_percent(self.resources)


@lru_cache(maxsize=16)
def generate(seed: bytes, name: str, radius: int, cities: int, rules: Ruleset) -> Island:
    """The island of this seed: the first attempt whose regions are fair, else the fairest."""
    best: Island | None = None
    for attempt in range(rules.map_attempts + 20):
        found = _Maker(derive(seed, f"map:{attempt}"), topology(name, radius), rules).make(cities)
        if found is None:
            continue
        if best is None or found.spread < best.spread:
            best = found
        if best.spread <= rules.spread_percent or attempt + 1 >= rules.map_attempts:
            break
    # A map too small for so many cities gets as many as it holds.
    return best if best is not None else generate(seed, name, radius, cities - 1, rules)


def city_gap(tiles: int, cities: int) -> int:
    """The fewest steps between two cities, for an island of so many tiles."""
    return max(3, isqrt(tiles // cities) * 3 // 4)


class _Maker:
    def __init__(self, rng: Rng, topo: Topology, rules: Ruleset) -> None:
        self.rng = rng
        self.topo = topo
        self.rules = rules
        self.kinds = bytearray(topo.size)
        self.kept: set[int] = set()
        """Cities and the tiles around them, `city_room` deep: they stay land."""

    def make(self, cities: int) -> Island | None:
        inside = self._outline()
        sites = self._sites(inside, cities)
        if sites is None:
            return None
        for site in sites:
            self.kept.update(self.topo.disc(site, self.rules.city_room))
        area = len(inside)
        self._clusters(WATER, area * self.rules.lake_percent // 100)
        rivers = self._rivers(area * self.rules.river_tiles_percent // 100)
        self._clusters(
            MOUNTAIN, area * self.rules.mountain_percent // 100, self.rules.range_percent
        )
        self._clusters(FOREST, area * self.rules.forest_percent // 100)
        self._fertile()
        for site in sites:
            self.kinds[site] = FOUNDATION
        regions, resources = grow_regions(self.topo, self.kinds, sites, self.rules.income)
        return Island(bytes(self.kinds), regions, tuple(sites), tuple(rivers), tuple(resources))

    def _keeps_land_whole(self, cell: int) -> bool:
        """Would the land around stay in one piece if this tile were not land?

        Around the tile, at most one run of land holds sides of it: those are joined outside it."""
        kinds = self.kinds
        ring = self.topo.ring[cell]
        step = self.topo.side_step
        runs = 0
        joined = False  # the run of land that the last place belongs to has a side already
        for i, c in enumerate(ring):
            if c == OUTSIDE or kinds[c] != LAND:
                joined = False
            elif i % step == 0 and not joined:
                joined = True
                runs += 1
        if runs > 1 and joined and self._starts_joined(ring):
            runs -= 1  # the last run goes on into the first one
        return runs <= 1

    def _starts_joined(self, ring: tuple[int, ...]) -> bool:
        return ring[0] != OUTSIDE and self.kinds[ring[0]] == LAND

    # -- parts -----------------------------------------------------------------------------------

    def _outline(self) -> list[int]:
        """A full disc inside a rim of water, then bays bitten out of its outer quarter."""
        topo, rng, kinds = self.topo, self.rng, self.kinds
        away = topo.away
        inside = [cell for cell in range(topo.size) if away[cell] < topo.radius]
        for cell in inside:
            kinds[cell] = LAND
        outer = [cell for cell in inside if away[cell] * 4 > topo.radius * 3]
        left = len(inside) * self.rules.coast_percent // 100
        for _ in range(left * 20):
            if left <= 0:
                break
            cell = rng.choice(outer)
            if kinds[cell] != LAND or all(kinds[n] == LAND for n in topo.sides[cell]):
                continue
            bay = [cell]
            for at in bay[: rng.below(8) + 2]:
                if left > 0 and kinds[at] == LAND and self._keeps_land_whole(at):
                    kinds[at] = WATER
                    left -= 1
                    bay += [n for n in topo.sides[at] if away[n] * 4 > topo.radius * 3]
        return [cell for cell in inside if kinds[cell] == LAND]

    def _sites(self, inside: list[int], cities: int) -> list[int] | None:
        """Cities far apart: each new one far from the others, then all moved to the middle of what
        is nearest to them, a few times. None: this island has no room for them."""
        topo, rng, kinds = self.topo, self.rng, self.kinds
        whole = len(topo.disc(topo.middle, 2))
        fit = [
            cell
            for cell in inside
            if kinds[cell] == LAND
            and len(around := topo.disc(cell, 2)) == whole
            and all(kinds[n] == LAND for n in around)
        ]
        if len(fit) < cities:
            return None
        fits = set(fit)
        gap = city_gap(len(inside), cities)
        for tries in range(16):
            sites: list[int] = []
            for _ in range(cities):
                drawn = [rng.choice(fit) for _ in range(10)]
                sites.append(
                    max(drawn, key=lambda c: min((topo.distance(c, s) for s in sites), default=0))
                )
            for _ in range(3):
                sites = self._centred(sites, fits)
            if tries >= 8:  # a crowded map: better nearer than not at all
                gap = max(3, gap - 1)
            if all(topo.distance(a, b) >= gap for i, a in enumerate(sites) for b in sites[:i]):
                return sites
        return None

    def _centred(self, sites: list[int], fits: set[int]) -> list[int]:
        """Each site moved to the middle of the land that is nearest to it."""
        topo, kinds = self.topo, self.kinds
        nearest = {site: i for i, site in enumerate(sites)}
        reached = list(nearest)
        for at in reached:
            i = nearest[at]
            for n in topo.sides[at]:
                if kinds[n] == LAND and n not in nearest:
                    nearest[n] = i
                    reached.append(n)
        sums = [[0, 0, 0] for _ in sites]
        for cell, i in nearest.items():
            x, y = topo.coords[cell]
            total = sums[i]
            total[0] += x
            total[1] += y
            total[2] += 1
        moved: list[int] = []
        for site, (x, y, n) in zip(sites, sums, strict=True):
            middle = topo.at(x // n, y // n) if n else None
            if middle is None:
                moved.append(site)
                continue
            near = [cell for cell in topo.disc(middle, 4) if cell in fits]
            moved.append(min(near, key=lambda c: topo.distance(c, middle), default=site))
        return moved

    def _clusters(self, kind: int, tiles: int, range_percent: int = 0) -> None:
        """Blobs of this kind, apart from others of it, up to about so many tiles. So many percent
        begin one tile from an earlier one."""
        topo, rng, kinds, rules = self.topo, self.rng, self.kinds, self.rules
        beyond: list[int] = []
        """Tiles on the other side of a gap."""
        for _ in range(tiles * 6):
            if tiles <= 0:
                return
            want = min(
                rules.cluster_least + rng.below(rules.cluster_most - rules.cluster_least + 1), tiles
            )
            blob: list[int] = []
            in_range = beyond and rng.below(100) < range_percent
            edge = [rng.choice(beyond) if in_range else rng.below(topo.size)]
            while edge and len(blob) < want:
                at = edge.pop(rng.below(len(edge)))
                if kinds[at] != LAND or at in self.kept:
                    continue
                beside = [n for n in topo.neighbours[at] if kinds[n] == kind and n not in blob]
                if beside or not self._keeps_land_whole(at):
                    continue
                kinds[at] = kind
                blob.append(at)
                edge += [n for n in topo.sides[at] if kinds[n] == LAND]
            if len(blob) < rules.cluster_least:
                for at in blob:  # put back: a tile returned last to first never splits anything
                    kinds[at] = LAND
                continue
            tiles -= len(blob)
            if range_percent:
                beyond += [cell for at in blob for cell in topo.disc(at, 2)]

    def _rivers(self, tiles: int) -> list[tuple[int, ...]]:
        """One tile wide, from the water inland; each next tile touches no water but the last."""
        topo, rng, kinds, rules = self.topo, self.rng, self.kinds, self.rules
        rivers: list[tuple[int, ...]] = []
        longest = max(rules.river_least + 1, topo.radius // 2)
        for _ in range(tiles * 10):
            if tiles < rules.river_least:
                break
            mouth = rng.below(topo.size)
            if (
                kinds[mouth] != LAND
                or mouth in self.kept
                or all(kinds[n] != WATER for n in topo.sides[mouth])
                or not self._keeps_land_whole(mouth)
            ):
                continue
            kinds[mouth] = WATER
            river = [mouth]
            want = min(tiles, rules.river_least + rng.below(longest))
            while len(river) < want:
                ways = [n for n in topo.sides[river[-1]] if self._river_may_reach(n)]
                if not ways:
                    break
                kinds[step := rng.choice(ways)] = WATER
                river.append(step)
            if len(river) < rules.river_least:
                for at in river:
                    kinds[at] = LAND
                continue
            tiles -= len(river)
            rivers.append(tuple(river))
        return rivers

    def _river_may_reach(self, cell: int) -> bool:
        if self.kinds[cell] != LAND or cell in self.kept:
            return False
        wet = sum(c == OUTSIDE or self.kinds[c] == WATER for c in self.topo.ring[cell])
        return wet == 1 and self._keeps_land_whole(cell)

    def _fertile(self) -> None:
        kinds = self.kinds
        for cell, around in enumerate(self.topo.neighbours):
            if (
                kinds[cell] == LAND
                and any(kinds[n] == WATER for n in around)
                and self.rng.below(100) < self.rules.fertile_percent
            ):
                kinds[cell] = FERTILE
