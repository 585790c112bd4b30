"""Structures: where they stand, what they withstand, how they go."""

from __future__ import annotations

import pytest

from games.modes.minewars.rules.tiles import (
    BARRICADE,
    BRIDGE,
    DESTROYED,
    FERTILE,
    FOREST,
    FOUNDATION,
    LAND,
    MINE,
    MOUNTAIN,
    ROAD,
    TOWER,
    WATER,
)

from .arena import RULES, Arena
from .test_capture import lake_of_land, stand


def finish(a: Arena) -> None:
    """Let everything be built."""
    while any(city.jobs for city in a.inner.cities):
        a.wait(100_000)


@pytest.mark.parametrize(("kind", "hp"), [(ROAD, 3), (BARRICADE, 8), (TOWER, 5), (BRIDGE, 4)])
def test_hp_of_every_structure_and_damage_two_there_one_beside(kind: int, hp: int) -> None:
    a = Arena()
    spot, beside = a.cell(-1, 0), a.cell(-1, 1)
    stand(a, kind, spot)
    a.own(2, *([spot] if kind != BRIDGE else []))
    left = hp
    for cell, damage in ((beside, 1), (spot, 2), (spot, 2), (spot, 2), (spot, 2)):
        assert a.seen(0, spot)["hp"] == left
        a.do(0, "strike", cells=[cell])
        left = max(0, left - damage)
        if not left:
            break
    assert spot not in a.inner.structures
    assert a.inner.kind[spot] == (WATER if kind == BRIDGE else DESTROYED)


def test_built_structures_have_their_full_hp() -> None:
    a = Arena()
    a.shape(WATER, a.cell(-2, 0))
    a.act(0, "build", structure="road", cells=[a.cell(-4, 1)])
    a.wait(500)
    a.act(0, "build", structure="tower", cells=[a.cell(-4, -1)])
    a.wait(500)
    a.act(0, "build", structure="bridge", cells=[a.cell(-2, 0)])
    finish(a)
    hps = [a.inner.structures[a.cell(*at)].hp for at in ((-4, 1), (-4, -1), (-2, 0))]
    assert hps == [3, 5, 4]


def test_the_tile_becomes_foundation_when_placed() -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    a.shape(FERTILE, spot)
    a.act(0, "build", structure="road", cells=[spot])
    assert a.inner.kind[spot] == FOUNDATION
    assert spot not in a.inner.structures


def test_building_needs_own_land_and_the_own_regions_city() -> None:
    a = Arena()
    assert a.refused(0, "build", structure="road", cells=[a.cell(-2, 0)]) == "not_your_land"
    assert a.refused(0, "build", structure="tower", cells=[a.city(0)]) == "not_your_land"
    spot = a.cell(3, 2)
    a.own(1, spot)
    assert a.refused(0, "build", structure="road", cells=[spot]) == "not_your_region"


def test_nothing_is_built_where_something_stands_or_lies() -> None:
    a = Arena()
    built, mined, begun = a.cell(-4, 1), a.cell(-4, -1), a.cell(-3, 0)
    stand(a, ROAD, built)
    a.put(MINE, mined)
    a.act(0, "build", structure="road", cells=[begun])
    a.wait(500)
    for cell in (built, mined, begun):
        assert a.refused(0, "build", structure="road", cells=[cell]) == "not_empty"


def test_roads_in_one_action_for_many_tiles() -> None:
    a = Arena()
    cells = list(a.around(a.city(0)))
    a.act(0, "build", structure="road", cells=cells)
    assert len(a.inner.cities[0].jobs) == 6
    finish(a)
    assert all(a.inner.structures[c].kind == ROAD for c in cells)


def test_one_action_lays_a_road_between_two_own_cities_each_builds_its_regions_part() -> None:
    a = Arena()
    path = [a.cell(-3, -1), a.cell(-2, -2), a.cell(-1, -3), a.cell(0, -4), a.cell(1, -4)]
    a.own(1, a.city(2), *a.around(a.city(2)), *path)
    a.mines_everywhere_but()
    before = a.money(0)
    a.act(0, "build", structure="road", cells=path)
    assert a.money(0) == before
    works = [job.work for city in a.inner.cities for job in city.jobs]
    assert works == [100_000] * 5
    for number in (0, 2):
        built = [cell for job in a.inner.cities[number].jobs for cell in job.cells]
        assert built == [c for c in path if a.inner.regions[c] == number] != []
    finish(a)
    assert a.look(0)["game"]["links"] == [[0, 2]]


def test_a_road_is_refused_where_one_tile_is_in_a_region_that_is_not_own() -> None:
    a = Arena()
    own, foreign = a.cell(-3, 0), a.cell(1, -3)
    a.own(1, foreign)
    assert a.inner.regions[foreign] == 2
    code = a.refused(0, "build", structure="road", cells=[own, foreign])
    assert code == "not_your_region"


def test_a_tower_next_to_a_mountain_or_forest_needs_that_to_be_own() -> None:
    a = Arena()
    for kind in (MOUNTAIN, FOREST):
        a.shape(kind, a.cell(-2, 0))
        assert a.refused(0, "build", structure="tower", cells=[a.cell(-3, 0)]) == "bad_site"
    a.own(1, a.cell(-2, 0))
    a.act(0, "build", structure="tower", cells=[a.cell(-3, 0)])
    assert a.inner.cities[0].jobs


def test_towers_and_bridges_stand_on_one_tile() -> None:
    a = Arena()
    both = [a.cell(-4, 1), a.cell(-4, -1)]
    assert a.refused(0, "build", structure="tower", cells=both) == "bad_site"
    assert a.refused(0, "build", structure="bridge", cells=both) == "bad_site"


def gap(a: Arena) -> tuple[int, list[int], int]:
    """Two own mountains with two tiles of own land between them."""
    left, first, second, right = (a.cell(q, 2) for q in (-6, -5, -4, -3))
    a.shape(MOUNTAIN, left, right)
    a.own(1, left, first, second, right, *lake_of_land(a, left, first, second, right))
    return left, [first, second], right


def test_a_barricade_stands_in_a_land_gap_between_own_mountain_clusters() -> None:
    a = Arena()
    _left, (first, second), right = gap(a)
    assert a.refused(0, "build", structure="barricade", cells=[first]) == "bad_site"
    a.own(0, right)
    assert a.refused(0, "build", structure="barricade", cells=[first, second]) == "bad_site"
    a.own(1, right)
    apart = [first, a.cell(-4, -1)]
    assert a.refused(0, "build", structure="barricade", cells=apart) == "bad_site"


def test_a_longer_barricade_is_one_structure_its_price_adds_up_and_its_hp_does_not() -> None:
    a = Arena()
    _, cells, _ = gap(a)
    a.act(0, "build", structure="barricade", cells=cells)
    assert a.inner.cities[0].jobs[0].work == 2 * 800_000
    finish(a)
    assert a.inner.structures[cells[0]] is a.inner.structures[cells[1]]
    assert a.inner.structures[cells[0]].hp == 8
    a.own(2, next(n for n in lake_of_land(a, *cells) if a.inner.kind[n] == LAND))
    for _ in range(4):
        a.do(1, "strike", cells=[cells[0]])
    assert not a.inner.structures
    assert [a.inner.kind[c] for c in cells] == [DESTROYED] * 2


def test_a_bridge_stands_on_water_with_land_on_two_opposite_sides() -> None:
    a = Arena()
    assert a.refused(0, "build", structure="bridge", cells=[a.cell(-2, 0)]) == "bad_site"
    water, opposite = a.cell(-2, 0), a.cell(-1, 0)
    a.shape(WATER, water, opposite)
    a.shape(MOUNTAIN, a.cell(-1, -1), a.cell(-2, 1))
    assert a.refused(0, "build", structure="bridge", cells=[water]) == "bad_site"
    a.shape(LAND, opposite)
    a.act(0, "build", structure="bridge", cells=[water])
    finish(a)
    assert a.inner.structures[water].kind == BRIDGE
    assert a.inner.kind[water] == WATER
    assert a.owner(water) == 0


def test_a_bridge_cannot_be_bulldozed_for_nobody_owns_it() -> None:
    a = Arena()
    stand(a, BRIDGE, a.cell(-2, 0))
    assert a.refused(0, "bulldoze", cell=a.cell(-2, 0)) == "nothing_there"


def test_cancelling_gives_half_back_and_leaves_the_foundation() -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    a.act(0, "build", structure="tower", cells=[spot])
    a.wait(3000)
    before, built = a.money(0), 3000 * a.inner.cities[0].rate
    got = a.act(0, "cancel", cell=spot)
    assert a.money(0) - before == built // 2, "half of what it had cost so far"
    told = {"type": "refunded", "cells": [spot], "city": 0, "amount": built // 2}
    assert told in got[0]
    assert told not in got[1] + got[None]
    assert a.inner.kind[spot] == FOUNDATION
    assert a.inner.cities[0].jobs == []
    assert a.refused(0, "cancel", cell=spot) == "cooling_down"
    a.wait(500)
    assert a.refused(0, "cancel", cell=spot) == "nothing_there"


def test_bulldozing_gives_a_quarter_back_and_leaves_destroyed_land() -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    a.act(0, "build", structure="tower", cells=[spot])
    finish(a)
    before, rate = a.money(0), a.inner.cities[0].rate
    a.act(0, "bulldoze", cell=spot)
    a.wait(4999)
    assert spot in a.inner.structures
    a.wait(1)
    assert spot not in a.inner.structures
    assert a.inner.kind[spot] == DESTROYED
    assert a.money(0) == before + 5000 * rate + 300_000


def test_anothers_structure_is_neither_bulldozed_nor_cancelled() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    stand(a, ROAD, spot)
    assert a.refused(0, "bulldoze", cell=spot) == "nothing_there"
    a.act(1, "build", structure="tower", cells=[a.cell(4, 1)])
    assert a.refused(0, "cancel", cell=a.cell(4, 1)) == "nothing_there"


@pytest.mark.parametrize("how", ["captured", "struck", "city lost"])
def test_a_pending_structure_is_gone_with_its_tile_or_city(how: str) -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    a.act(0, "build", structure="tower", cells=[spot])
    a.own(2, a.cell(-4, 2))
    a.mines_everywhere_but()
    if how == "captured":
        a.capture(1, spot)
    elif how == "struck":
        a.do(1, "strike", cells=[spot])
        assert a.inner.kind[spot] == DESTROYED
    else:
        a.own(1, a.city(2))
        a.own(2, *a.around(a.city(0))[:-1])
        a.own(1, spot)
        a.capture(1, spot)
        last = a.around(a.city(0))[-1]
        if a.owner(last) != 2:
            a.capture(1, last)
        a.wait(RULES.held_siege_ms)
        assert a.owner(a.city(0)) == 2
    assert a.inner.cities[0].jobs == []
    assert spot not in a.inner.pending


def test_a_job_dropped_in_the_moment_it_would_be_done_does_not_finish_the_next() -> None:
    a = Arena()
    first, second = a.cell(-4, 1), a.cell(-5, 1)
    a.act(0, "build", structure="road", cells=[first, second])
    done = -(-150_000 // 54)
    a.own(2, a.cell(-4, 2))
    a.wait_until(done - 1000)
    # The strike's timer first, then the building's, both due at the same time.
    a.inner.timers = [t for t in a.inner.timers if t[2] != "build"]
    a.act(1, "strike", cells=[first])
    a.inner.add_timer(done, "build", 0)
    a.wait_until(done)
    assert [job.cells for job in a.inner.cities[0].jobs] == [(second,)]
    assert a.inner.structures == {}
    assert a.money(0) >= 0


def test_two_empires_may_begin_the_same_bridge_unseen_and_the_first_to_finish_has_it() -> None:
    a = Arena()
    water = a.cell(0, 0)
    a.shape(WATER, water)
    a.own(1, a.cell(-1, 0))
    a.own(2, a.cell(1, 0))
    a.inner.regions = bytes(
        0 if c == a.cell(-1, 0) else 1 if c == a.cell(1, 0) else r
        for c, r in enumerate(a.inner.regions)
    )
    a.ready()
    a.act(0, "build", structure="bridge", cells=[water])
    a.act(1, "build", structure="bridge", cells=[water])
    finish(a)
    assert a.inner.structures[water].kind == BRIDGE
