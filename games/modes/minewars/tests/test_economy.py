"""Money and roads."""

from __future__ import annotations

import pytest

from games.modes.minewars.rules import economy
from games.modes.minewars.rules.tiles import (
    DESTROYED,
    FERTILE,
    FOREST,
    FOUNDATION,
    LAND,
    MOUNTAIN,
    ROAD,
)
from tests.engine.table import Table

from .arena import Arena
from .test_capture import stand


@pytest.mark.parametrize(
    ("kind", "income"),
    [(LAND, 1), (FERTILE, 2), (FOREST, 3), (MOUNTAIN, 5), (DESTROYED, 0), (FOUNDATION, 0)],
)
def test_resources_per_second_of_an_own_city(kind: int, income: int) -> None:
    a = Arena()
    a.shape(kind, *a.around(a.city(0)))
    before = a.money(0)
    a.wait(1000)
    assert a.money(0) == before + (50 + 6 * income) * 1000


def test_only_own_tiles_in_the_citys_region_count() -> None:
    a = Arena()
    a.own(1, a.cell(3, 2))
    assert a.inner.regions[a.cell(3, 2)] == 1
    before = [a.money(i) for i in range(3)]
    a.wait(1000)
    assert [a.money(i) - b for i, b in enumerate(before)] == [56_000, 56_000, 0]


def test_neutral_cities_earn_nothing() -> None:
    a = Arena()
    a.wait(1_000_000)
    assert a.money(2) == 0


def test_start_money_is_sixteen_base_units_and_the_unit_the_mean_of_the_regions_resources() -> None:
    t = Table("minewars", 2, ban_seconds=0)
    state = t.inner
    worth = [0] * len(state.cities)
    for cell, region in enumerate(state.regions):
        if region != 255:
            worth[region] += (0, 1, 2, 0, 0, 5, 3)[state.kind[cell]]
    assert state.unit == sum(worth) * 1000 // len(worth)
    banks = [c.bank for c in state.cities if state.owner[c.cell]]
    assert banks == [16 * state.unit] * 2
    t.wait_until(60_000)
    assert t.inner.unit == state.unit, "fixed at the start"


def test_money_has_no_drift_over_odd_steps() -> None:
    a, b = Arena(), Arena()
    for ms in (1, 7, 333, 999, 12_345, 3):
        a.wait(ms)
    b.wait(1 + 7 + 333 + 999 + 12_345 + 3)
    assert a.money(0) == b.money(0) == 10_000_000 + 56 * 13_688
    assert type(a.money(0)) is int


def test_a_city_with_pending_structures_builds_instead_of_earning_one_at_a_time_in_order() -> None:
    a = Arena()
    first, second = a.cell(-4, 1), a.cell(-5, 1)
    a.act(0, "build", structure="road", cells=[first, second])
    bank = a.money(0)
    city = a.inner.cities[0]
    assert [job.work for job in city.jobs] == [100_000, 100_000]
    rate = city.rate
    assert rate == 54, "foundations yield nothing"
    a.wait(-(-100_000 // rate) - 1)
    assert first not in a.inner.structures
    a.wait(1)
    assert a.inner.structures[first].kind == ROAD
    assert second not in a.inner.structures
    assert a.money(0) == bank
    a.wait_until(-(-200_000 // rate))
    assert a.inner.structures[second].kind == ROAD
    over = rate * -(-200_000 // rate) - 200_000
    assert a.money(0) == bank + over, "nothing of what is earned is lost"
    a.wait(1000)
    assert a.money(0) == bank + over + 1000 * rate


def test_the_regions_own_city_pays_else_the_nearest_own() -> None:
    a = Arena()
    a.own(1, a.city(2), *a.around(a.city(2)))
    a.inner.cities[2].bank = 10_000_000
    a.ready()
    a.act(0, "deploy", item="mine", cell=a.cell(-3, 0))
    assert (a.money(0), a.money(2)) == (9_700_000, 10_000_000)
    a.wait(1000)
    before = [a.money(0), a.money(2)]
    spot = a.cell(4, -2)
    assert a.inner.regions[spot] == 1
    a.own(1, spot)
    a.act(0, "deploy", item="mine", cell=spot)
    assert [b - a.money(i) for b, i in zip(before, (0, 2), strict=True)] == [0, 400_000]


def road_between(a: Arena) -> list[int]:
    """Own roads from city 0 to city 2, and the owner of both."""
    path = [a.cell(-3, -1), a.cell(-2, -2), a.cell(-1, -3), a.cell(0, -4), a.cell(1, -4)]
    a.own(1, a.city(2), *a.around(a.city(2)), *path)
    for cell in path:
        stand(a, ROAD, cell)
    return path


def test_a_road_connection_is_a_path_of_own_roads_between_own_cities() -> None:
    a = Arena()
    path = road_between(a)
    assert a.inner.empires[1].links == {(0, 2)}
    for lost in path:
        a.own(2, lost)
        assert a.inner.empires[1].links == frozenset(), "one lost tile breaks it"
        a.own(1, lost)
    del a.inner.structures[path[2]]
    a.ready()
    assert a.inner.empires[1].links == frozenset()


def test_a_road_connection_stays_within_the_two_regions() -> None:
    a = Arena()
    path = road_between(a)
    a.inner.regions = bytes(1 if c == path[2] else r for c, r in enumerate(a.inner.regions))
    a.ready()
    assert a.inner.empires[1].links == frozenset()


def test_capturing_a_road_breaks_the_connection_and_tells_only_its_owner() -> None:
    a = Arena()
    path = road_between(a)
    foe = next(n for n in a.around(path[2]) if not a.owner(n))
    a.mines_everywhere_but()
    a.own(2, foe)
    got = a.capture(1, path[2])
    assert {"type": "links", "links": []} in got[0]
    assert not any(e["type"] == "links" for v in (1, None) for e in got[v])


def test_connected_cities_pay_in_proportion_to_their_banks_the_local_one_doubled() -> None:
    a = Arena()
    road_between(a)
    a.inner.cities[0].bank, a.inner.cities[2].bank = 1_000_000, 4_000_000
    a.ready()
    a.act(0, "deploy", item="mine", cell=a.cell(-4, 1))
    # Weights 2 * 1 and 4: a third and two thirds of 300.
    assert (a.money(0), a.money(2)) == (900_000, 3_800_000)


def test_connected_cities_pay_together_what_one_could_not() -> None:
    a = Arena()
    road_between(a)
    a.inner.cities[0].bank, a.inner.cities[2].bank = 100_000, 250_000
    a.ready()
    a.act(0, "deploy", item="mine", cell=a.cell(-4, 1))
    assert a.money(0) + a.money(2) == 50_000
    assert min(a.money(0), a.money(2)) >= 0


def test_banks_pay_exactly_the_price() -> None:
    a = Arena()
    road_between(a)
    for mine, other in ((1, 10**9), (299_999, 1), (100_003, 199_998), (0, 300_000), (7, 7_777_777)):
        a.inner.cities[0].bank, a.inner.cities[2].bank = mine, other
        a.inner.cities[0].at = a.inner.cities[2].at = a.inner.now = a.t
        a.ready()
        if mine + other >= 300_000:
            economy.pay(a.inner, 1, a.cell(-4, 1), 300_000)
            banks = a.money(0), a.money(2)
            assert sum(banks) == mine + other - 300_000
            assert min(banks) >= 0
    a.ready()


def test_banks_are_told_to_their_owner_alone() -> None:
    a = Arena()
    got = a.act(0, "deploy", item="mine", cell=a.cell(-3, 0))
    assert any(e["type"] == "bank" for e in got[0])
    assert got[1] == []
    assert got[None] == []
    assert a.look(0)["game"]["banks"][1:] == [None, None]
    assert a.look(None)["game"]["banks"] == [None, None, None]
