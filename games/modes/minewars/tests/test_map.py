"""The island: each property over many seeds, on every preset and both topologies.

500 seeds of the Duel, and of each other map 8, or as many as MINEWARS_MAPS says."""

from __future__ import annotations

import os
from functools import cache
from hashlib import sha256
from itertools import pairwise

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.engine.game import Setup
from games.modes.minewars.rules.mapgen import Island, city_gap, generate
from games.modes.minewars.rules.opening import begin, start
from games.modes.minewars.rules.presets import (
    PRESETS,
    TOPOLOGIES,
    city_count,
    empires_of,
    parse_options,
    ruleset,
)
from games.modes.minewars.rules.regions import find_clusters
from games.modes.minewars.rules.ruleset import VERSION
from games.modes.minewars.rules.tiles import (
    FERTILE,
    FOUNDATION,
    IS_LAND,
    MOUNTAIN,
    NO_REGION,
    WATER,
)
from games.modes.minewars.rules.topology import Topology, topology

MAPS = [(preset, shape) for preset in PRESETS for shape in TOPOLOGIES]
SEEDS = int(os.environ.get("MINEWARS_MAPS", "8"))


def seeds(preset: str, shape: str) -> range:
    return range(max(500, SEEDS) if (preset, shape) == ("duel", "hex") else SEEDS)


@cache
def island(preset: str, shape: str, seed: int) -> Island:
    options = parse_options({"preset": preset, "topology": shape})
    cities = city_count(options, max(empires_of(options, PRESETS[preset]["players"])))
    key = sha256(b"map %d" % seed).digest()
    return generate(key, shape, options.radius, cities, ruleset(options))


def topo_of(preset: str, shape: str) -> Topology:
    return topology(shape, PRESETS[preset]["radius"])


def pieces(topo: Topology, cells: set[int]) -> int:
    """The number of pieces that these cells are in."""
    left = set(cells)
    count = 0
    while left:
        count += 1
        reached = [left.pop()]
        for at in reached:
            found = left.intersection(topo.sides[at])
            left -= found
            reached += found
    return count


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("preset", "shape"), MAPS)
def test_properties_of_every_map(preset: str, shape: str) -> None:
    topo = topo_of(preset, shape)
    for seed in seeds(preset, shape):
        made = island(preset, shape, seed)
        where = f"{preset} {shape} seed {seed}"
        check_one_contiguous_island(topo, made, where)
        check_rivers(topo, made, where)
        check_cities(topo, made, where)
        check_regions(topo, made, where)
        assert made.spread <= 150, f"resource spread, {where}"
        assert set(made.kinds) == {0, 1, 2, 4, 5, 6}, f"every kind of tile is there, {where}"


def check_one_contiguous_island(topo: Topology, made: Island, where: str) -> None:
    playable = {c for c, kind in enumerate(made.kinds) if kind != WATER}
    land = {c for c in playable if IS_LAND[made.kinds[c]]}
    assert pieces(topo, playable) == 1, where
    assert pieces(topo, land) == 1, f"mountains and forests cut the land apart, {where}"
    assert all(topo.distance(c, topo.middle) < topo.radius for c in playable), where
    for cell, kind in enumerate(made.kinds):
        if kind == FERTILE:
            assert any(made.kinds[n] == WATER for n in topo.neighbours[cell]), where


def check_rivers(topo: Topology, made: Island, where: str) -> None:
    assert made.rivers, where
    for river in made.rivers:
        assert all(made.kinds[cell] == WATER for cell in river), where
        for before, cell in pairwise(river):
            assert cell in topo.sides[before], f"a river has a gap, {where}"
        for i, cell in enumerate(river):
            apart = set(river) - set(river[max(0, i - 1) : i + 2])
            assert not apart.intersection(topo.neighbours[cell]), f"wider than one, {where}"


def check_cities(topo: Topology, made: Island, where: str) -> None:
    for cell in made.cities:
        assert made.kinds[cell] == FOUNDATION, where
        around = topo.neighbours[cell]
        assert len(around) == len(topo.ring[cell]), where
        assert all(IS_LAND[made.kinds[n]] for n in around), f"no land beside a city, {where}"
    island_tiles = sum(kind != WATER for kind in made.kinds)
    gap = city_gap(island_tiles, len(made.cities))
    for i, a in enumerate(made.cities):
        for b in made.cities[:i]:
            assert topo.distance(a, b) >= gap, f"two cities are near, {where}"


def check_regions(topo: Topology, made: Island, where: str) -> None:
    income = ruleset(parse_options({})).income
    sums = [0] * len(made.cities)
    for cell, region in enumerate(made.regions):
        if made.kinds[cell] == WATER:
            assert region == NO_REGION, where
        else:
            sums[region] += income[made.kinds[cell]]
    assert tuple(sums) == made.resources, where
    for number, city in enumerate(made.cities):
        assert made.regions[city] == number, where
        mine = {c for c, r in enumerate(made.regions) if r == number}
        assert pieces(topo, mine) == 1, f"a region is in pieces, {where}"
    for cluster in find_clusters(topo, made.kinds):
        assert len({made.regions[c] for c in cluster}) == 1, f"a cluster is split, {where}"


@pytest.mark.parametrize(("preset", "shape"), MAPS)
def test_mountains_stand_in_ranges(preset: str, shape: str) -> None:
    """In most regions there are gaps of one tile between two mountains, for barricades."""
    topo = topo_of(preset, shape)
    with_gaps, regions = 0, 0
    for seed in range(SEEDS):
        made = island(preset, shape, seed)
        peaks = [c for c in find_clusters(topo, made.kinds) if made.kinds[c[0]] == MOUNTAIN]
        number = {cell: i for i, peak in enumerate(peaks) for cell in peak}
        gaps = {
            made.regions[cell]
            for cell, kind in enumerate(made.kinds)
            if IS_LAND[kind] and len({number[n] for n in topo.neighbours[cell] if n in number}) > 1
        }
        with_gaps += len(gaps)
        regions += len(made.cities)
    assert with_gaps >= 0.7 * regions


@pytest.mark.parametrize(("preset", "shape"), MAPS)
def test_same_seed_same_map(preset: str, shape: str) -> None:
    again = island.__wrapped__(preset, shape, 3)
    assert again == island(preset, shape, 3)
    assert again.kinds != island(preset, shape, 4).kinds


@pytest.mark.parametrize(
    ("preset", "players", "empires", "cities", "radius", "bans"),
    [
        ("duel", 2, 2, 5, 16, True),
        ("classic", 4, 4, 8, 32, True),
        ("mayhem", 6, 6, 6, 24, False),
        ("duos", 6, 3, 6, 24, True),
    ],
)
def test_presets_have_the_players_cities_and_sizes_of_the_rules(
    preset: str, players: int, empires: int, cities: int, radius: int, bans: bool
) -> None:
    options = parse_options({"preset": preset})
    assert PRESETS[preset]["players"] == players
    assert max(empires_of(options, players)) == empires
    assert (options.cities, options.radius) == (cities, radius)
    assert bool(options.ban_seconds) == bans
    assert len(island(preset, "hex", 0).cities) == cities
    cheaper = options.price_percent < 100
    assert cheaper == (preset == "mayhem")


def test_the_command_prints_the_spread_and_draws(tmp_path, capsys) -> None:
    file = tmp_path / "map.png"
    call_command("minewars_map", seed="a b c", preset="duel", png=file)
    printed = capsys.readouterr().out
    assert "spread of region resources (max/min): 1." in printed
    assert printed.count("tiles,") == 5
    assert file.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    again = tmp_path / "again.png"
    call_command("minewars_map", "--seed", "a b c", "--preset", "Duel", "--png", str(again))
    assert again.read_bytes() == file.read_bytes()


def test_the_command_says_when_it_cannot_write_the_file(tmp_path) -> None:
    file = tmp_path / "no such folder" / "map.png"
    with pytest.raises(CommandError, match="can't be written"):
        call_command("minewars_map", seed="a b c", preset="duel", png=file)


@pytest.mark.parametrize("shape", TOPOLOGIES)
@pytest.mark.parametrize("radius", [8, 9, 14, 16])
def test_nobody_starts_in_a_pocket(shape: str, radius: int) -> None:
    """Two deep around every city there is land, on small maps too."""
    topo = topology(shape, radius)
    options = parse_options({"radius": radius, "cities": 3, "topology": shape})
    keys = [bytes.fromhex("15" * 32), *(sha256(b"pocket %d" % i).digest() for i in range(SEEDS))]
    for key in keys:
        made = generate(key, shape, radius, city_count(options, 2), ruleset(options))
        for city in made.cities:
            around = topo.disc(city, 2)
            assert len(around) == len(topo.disc(topo.middle, 2))
            assert all(IS_LAND[made.kinds[cell]] for cell in around)


@pytest.mark.parametrize("shape", TOPOLOGIES)
@pytest.mark.parametrize("radius", [8, 14, 16])
def test_everybody_starts_with_safe_land_to_capture(shape: str, radius: int) -> None:
    """On the main island: from there land leads to every city."""
    options = parse_options({"radius": radius, "cities": 3, "topology": shape, "ban_seconds": 0})
    keys = [bytes.fromhex("15" * 32), *(sha256(b"start %d" % i).digest() for i in range(SEEDS))]
    for key in keys:
        state = start(Setup("minewars", VERSION, key, 2, options, 0))
        begin(state, 0)
        topo = state.topo
        land = {cell for cell in range(topo.size) if IS_LAND[state.kind[cell]]}
        assert pieces(topo, land) == 1
        for empire in state.alive():
            beside = {
                n
                for cell in land
                if state.owner[cell] == empire
                for n in topo.neighbours[cell]
                if n in land and not state.owner[n]
            }
            assert len(beside) >= 8, "many ways out"
            assert any(not state.item[cell] for cell in beside), "one of them without a strike"


def test_maps_of_earlier_versions_are_made_as_they_were() -> None:
    options = parse_options({"radius": 14, "cities": 3})
    key = bytes.fromhex("15" * 32)
    old, new = (generate(key, "hex", 14, 3, ruleset(options, v)) for v in (2, 3))
    topo = topology("hex", 14)
    exits = [
        sum(IS_LAND[made.kinds[c]] for c in topo.disc(city, 2)) - 7
        for made in (old, new)
        for city in made.cities
    ]
    assert min(exits[:3]) == 1, "the pocket for which this was changed"
    assert exits[3:] == [12] * 3
