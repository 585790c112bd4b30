"""Divides the tiles among the cities: regions of nearly equal worth that never split a cluster."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heapreplace

from .tiles import FOREST, MOUNTAIN, NO_REGION, WATER
from .topology import Topology


def components(topo: Topology, cells: Iterable[int]) -> list[tuple[int, ...]]:
    """The connected pieces of these cells, in the order of their first cells."""
    left = dict.fromkeys(cells)
    pieces: list[tuple[int, ...]] = []
    while left:
        first = next(iter(left))
        del left[first]
        piece = [first]
        for at in piece:
            for n in topo.sides[at]:
                if n in left:
                    del left[n]
                    piece.append(n)
        pieces.append(tuple(piece))
    return pieces


def find_clusters(topo: Topology, kinds: Sequence[int]) -> list[tuple[int, ...]]:
    """The connected mountains and forests, each of one kind."""
    return [
        cluster
        for kind in (MOUNTAIN, FOREST)
        for cluster in components(topo, (c for c, k in enumerate(kinds) if k == kind))
    ]


def grow_regions(
    topo: Topology, kinds: Sequence[int], cities: Sequence[int], income: Sequence[int]
) -> tuple[bytes, list[int]]:
    """The region of every tile that is not water, and what each region yields.

    Regions grow from the cities. Always the one with the fewest resources so far takes next: a
    whole cluster at its edge if there is one, else the next single tile, nearest first."""
    region = bytearray([NO_REGION]) * topo.size
    cluster_of: dict[int, tuple[int, ...]] = {}
    for cluster in find_clusters(topo, kinds):
        for cell in cluster:
            cluster_of[cell] = cluster
    resources = [0] * len(cities)
    tiles: list[deque[int]] = [deque() for _ in cities]
    clusters: list[deque[int]] = [deque() for _ in cities]

    def take(city: int, cell: int) -> None:
        for taken in cluster_of.get(cell, (cell,)):
            region[taken] = city
            resources[city] += income[kinds[taken]]
            for n in topo.sides[taken]:
                if region[n] == NO_REGION and kinds[n] != WATER:
                    (clusters if n in cluster_of else tiles)[city].append(n)

    for city, site in enumerate(cities):
        take(city, site)
        for cell in topo.neighbours[site]:
            take(city, cell)
    growing = [(resources[city], city) for city in range(len(cities))]
    heapify(growing)
    while growing:
        city = growing[0][1]
        for waiting in (clusters[city], tiles[city]):
            while waiting and region[waiting[0]] != NO_REGION:
                waiting.popleft()
        if clusters[city]:
            take(city, clusters[city].popleft())
        elif tiles[city]:
            take(city, tiles[city].popleft())
        else:
            heappop(growing)
            continue
        heapreplace(growing, (resources[city], city))
    return bytes(region), resources


def spread_percent(resources: Sequence[int]) -> int:
    """The greatest in percent of the least, rounded up."""
    return -(-max(resources) * 100 // max(1, min(resources)))
