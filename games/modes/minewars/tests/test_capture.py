"""Capturing, sentence by sentence."""

from __future__ import annotations

from dataclasses import replace
from heapq import heapify

import pytest

from games.modes.minewars.rules.state import Structure
from games.modes.minewars.rules.tiles import (
    BARRICADE,
    BRIDGE,
    DECOY,
    DESTROYED,
    FERTILE,
    FLASHBANG,
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

# -- land ----------------------------------------------------------------------------------------


def test_land_is_captured_adjacent_to_an_own_tile_after_a_delay_of_a_quarter_second() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    a.act(0, "capture", cell=spot)
    a.wait(249)
    assert a.owner(spot) == 0
    a.wait(1)
    assert a.owner(spot) == 1


def test_land_that_is_not_adjacent_cannot_be_captured() -> None:
    a = Arena()
    assert a.refused(0, "capture", cell=a.cell(0, 0)) == "not_adjacent"
    a.mines_everywhere_but()
    assert a.refused(0, "capture", cell=a.cell(-4, 1)) == "already_yours"


@pytest.mark.parametrize("kind", [LAND, FERTILE, DESTROYED, FOUNDATION])
def test_land_fertile_destroyed_and_foundation_are_all_land_for_capture(kind: int) -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    a.shape(kind, spot)
    a.capture(0, spot)
    assert a.owner(spot) == 1


@pytest.mark.parametrize(
    ("kind", "code"), [(WATER, "not_land"), (MOUNTAIN, "surround_it"), (FOREST, "surround_it")]
)
def test_water_mountain_and_forest_are_not_captured_as_land(kind: int, code: str) -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.shape(kind, spot)
    assert a.refused(0, "capture", cell=spot) == code


def test_captured_land_is_protected_for_two_and_a_half_seconds() -> None:
    a = Arena()
    spot, beside = a.cell(-2, 0), a.cell(-1, 0)
    a.mines_everywhere_but(spot, beside)
    a.own(2, beside)
    a.capture(0, spot)
    assert a.refused(1, "capture", cell=spot) == "protected"
    a.wait(2499)
    assert a.refused(1, "capture", cell=spot) == "protected"
    a.wait(1)
    a.capture(1, spot)
    assert a.owner(spot) == 2


def test_across_a_bridge_land_is_captured() -> None:
    a = Arena()
    river, far = a.cell(-2, 0), a.cell(-1, 0)
    a.shape(WATER, *(a.cell(-2, y) for y in range(-5, 8)))
    a.mines_everywhere_but(far)
    assert a.refused(0, "capture", cell=far) == "not_adjacent"
    a.inner.structures[river] = Structure(BRIDGE, (river,), 4, 0)
    a.ready()
    a.capture(0, far)
    assert a.owner(far) == 1
    assert a.owner(river) == 0, "a bridge has no owner"


# -- known empty ---------------------------------------------------------------------------------


def test_known_empty_land_expands_up_to_tiles_with_digits_at_once() -> None:
    a = Arena()
    wall = [a.cell(0, y) for y in range(-7, 8)]
    a.put(MINE, *wall)
    got = a.capture(0, a.cell(-2, 0))
    west = [
        c
        for c in range(a.inner.topo.size)
        if a.inner.kind[c] == LAND and a.inner.topo.coords[c][0] < 0
    ]
    assert all(a.owner(c) == 1 for c in west)
    assert all(a.owner(c) != 1 for c in wall)
    assert a.digit(0, a.cell(-1, 0)) == "2"
    assert a.digit(0, a.cell(-3, 0)) == "0"
    tiles = [e for e in got[0] if e["type"] == "tiles"]
    assert len(tiles) == 1, "all at once"


def test_expansion_goes_around_the_players_flags() -> None:
    a = Arena()
    a.put(MINE, *(a.cell(0, y) for y in range(-7, 8)))
    flagged = a.cell(-5, 3)
    a.act(0, "flag", cell=flagged, on=True)
    a.act(1, "flag", cell=a.cell(-5, 4), on=True)
    a.capture(0, a.cell(-2, 0))
    assert a.owner(flagged) == 0
    assert a.owner(a.cell(-5, 4)) == 1, "another's flags do not count"


@pytest.mark.parametrize("others", [False, True])
def test_expansion_takes_anothers_land_only_where_the_ruleset_says_so(others: bool) -> None:
    a = Arena()
    a.inner.rules = replace(RULES, expand_over_others=others, watch_delay_seconds=0)
    a.put(MINE, *(a.cell(0, y) for y in range(-7, 8)))
    open_land, protected = a.cell(-5, 3), a.cell(-5, 4)
    a.own(2, open_land, protected)
    a.inner.shield[protected] = 10_000
    a.ready()
    a.capture(0, a.cell(-2, 0))
    assert a.owner(open_land) == (1 if others else 2)
    assert a.owner(protected) == 2, "protected land is never taken"


def test_a_smoked_digit_is_not_known_and_expands_nothing() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.inner.smoke = dict.fromkeys((*a.around(a.city(0)), spot), 10**9)
    a.ready()
    before = a.score(1)["tiles"]
    a.capture(0, spot)
    assert a.score(1)["tiles"] == before + 1


def test_next_to_a_digit_only_the_tile_itself_is_captured() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot, a.cell(-1, 0))
    before = a.score(1)["tiles"]
    a.capture(0, spot)
    assert a.score(1)["tiles"] == before + 1


def test_a_capture_of_an_own_zero_opens_around_it() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.put(MINE, *(a.cell(0, y) for y in range(-7, 8)))
    a.capture(0, spot)
    assert a.owner(a.cell(-1, 0)) == 1
    a.wait(200)
    assert a.refused(0, "capture", cell=spot) == "already_yours", "nothing is left to open"
    assert a.refused(0, "capture", cell=a.cell(-1, 0)) == "already_yours", "it is no 0"


def test_a_smoked_or_nonsense_digit_does_not_open() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.inner.smoke = {spot: 10**9}
    a.ready()
    assert a.refused(0, "capture", cell=spot) == "already_yours"
    a.inner.smoke = {}
    a.inner.empires[1].blind = 10**9
    a.own(2, a.cell(-2, 0))
    assert a.refused(0, "capture", cell=spot) == "already_yours"


def half_mined(a: Arena) -> int:
    """A wall of mines in the middle, and one mine in the west, beside the empire there."""
    mine = a.cell(-2, 0)
    a.put(MINE, mine, *(a.cell(0, y) for y in range(-7, 8)))
    return mine


def test_a_strike_that_makes_an_own_digit_0_opens_neutral_land() -> None:
    a = Arena()
    mine, foreign = half_mined(a), a.cell(-2, 1)
    a.own(2, foreign)
    a.do(0, "strike", cells=[mine])
    assert a.owner(mine) == a.owner(a.cell(-1, 0)) == 1
    assert a.owner(foreign) == 2, "only a capture carries over another's land"
    assert a.inner.shield[mine] == a.t + 2500


def test_anothers_strike_opens_nothing_for_the_owner_of_the_digit() -> None:
    a = Arena()
    mine = half_mined(a)
    a.own(2, a.cell(-1, 1))
    a.put(MINE, *(c for c in a.around(a.cell(-1, 1)) if c != mine))
    a.do(1, "strike", cells=[mine])
    assert a.owner(mine) == 0


def test_a_sale_opens_what_it_makes_known() -> None:
    a = Arena()
    mine = a.cell(-3, 2)
    rim = a.around(mine)
    a.put(MINE, mine, *(a.cell(0, y) for y in range(-7, 8)))
    a.own(1, *rim[:-1])
    a.put(DECOY, *(c for c in a.around(rim[-1]) if a.owner(c) == 0 and c != mine))
    a.capture(0, rim[-1])
    assert a.owner(mine) == 1, "surrounded and sold"
    assert a.owner(a.cell(-5, 4)) == 1, "and the digits around it are 0 now"


def test_a_flag_that_is_taken_away_no_longer_stops_the_expansion() -> None:
    a = Arena()
    flagged = a.cell(-5, 3)
    a.put(MINE, *(a.cell(0, y) for y in range(-7, 8)))
    a.act(0, "flag", cell=flagged, on=True)
    a.capture(0, a.cell(-2, 0))
    assert a.owner(flagged) == 0
    a.act(0, "flag", cell=flagged, on=False)
    assert a.owner(flagged) == 1


# -- items on the tile ---------------------------------------------------------------------------


def test_a_mine_explodes_and_the_tile_is_not_captured() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.put(MINE, spot)
    a.own(2, spot)
    got = a.capture(0, spot)
    assert a.owner(spot) == 2
    assert a.inner.kind[spot] == DESTROYED
    assert a.inner.item[spot] == 0
    assert a.inner.empires[1].stunned == a.t + 5000
    for viewer in a.viewers:
        types = [e["type"] for e in got[viewer]]
        assert "exploded" in types, "shown to all"
        assert "killed" in types, "all are told"


def test_a_decoy_breaks_and_the_tile_is_captured() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but()
    a.put(DECOY, spot)
    a.capture(0, spot)
    assert (a.owner(spot), a.inner.item[spot], a.inner.kind[spot]) == (1, 0, LAND)
    assert a.inner.empires[1].stunned == 0


def test_a_flashbang_blinds_and_the_tile_is_captured() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but()
    a.put(FLASHBANG, spot)
    got = a.capture(0, spot)
    assert (a.owner(spot), a.inner.item[spot]) == (1, 0)
    assert a.inner.empires[1].blind == a.t + 5000
    assert all(any(e["type"] == "flashed" for e in got[v]) for v in a.viewers)


# -- clusters ------------------------------------------------------------------------------------


def lake_of_land(a: Arena, *inner: int) -> set[int]:
    """The land around these tiles."""
    return {n for c in inner for n in a.around(c)} - set(inner)


@pytest.mark.parametrize("kind", [MOUNTAIN, FOREST])
def test_a_cluster_is_taken_whole_by_holding_all_adjacent_land(kind: int) -> None:
    a = Arena()
    cluster = [a.cell(-3, 3), a.cell(-2, 3)]
    a.shape(kind, *cluster)
    rim = sorted(lake_of_land(a, *cluster))
    last = rim.pop()
    a.mines_everywhere_but(*rim, last)
    a.own(1, *rim)
    assert all(a.owner(c) == 0 for c in cluster)
    a.capture(0, last)
    assert all(a.owner(c) == 1 for c in cluster)


def test_ownership_of_a_cluster_is_lost_as_soon_as_one_adjacent_tile_is_anothers() -> None:
    a = Arena()
    cluster = [a.cell(-3, 3), a.cell(-2, 3)]
    a.shape(MOUNTAIN, *cluster)
    rim = sorted(lake_of_land(a, *cluster))
    a.own(1, *rim, *cluster)
    foe = next(n for n in a.around(rim[-1]) if n not in rim and n not in cluster)
    a.own(2, foe)
    a.mines_everywhere_but()
    a.capture(1, rim[-1])
    assert a.owner(rim[-1]) == 2
    assert all(a.owner(c) == 0 for c in cluster)


def test_adjacent_clusters_form_one_group_and_one_may_be_lost_while_the_other_stays() -> None:
    a = Arena()
    mountain, forest = a.cell(-3, 3), a.cell(-2, 3)
    a.shape(MOUNTAIN, mountain)
    a.shape(FOREST, forest)
    only_mountain = lake_of_land(a, mountain) - {forest}
    both = lake_of_land(a, mountain, forest)
    a.mines_everywhere_but(*both)
    last = a.cell(-3, 4)
    assert last in only_mountain
    a.own(1, *(only_mountain - {last}))
    a.capture(0, last)
    assert a.owner(mountain) == 0, "all land around the group must be held"
    a.wait(2600)
    rest = sorted(both - only_mountain)
    a.own(1, *rest[:-1])
    a.capture(0, rest[-1])
    assert (a.owner(mountain), a.owner(forest)) == (1, 1)
    foe = next(c for c in a.around(rest[-1]) if c not in both and c not in (mountain, forest))
    a.own(2, foe)
    a.wait(2600)
    assert mountain not in a.around(rest[-1])
    a.capture(1, rest[-1])
    assert (a.owner(mountain), a.owner(forest)) == (1, 0)


def test_adjacent_land_with_items_joins_the_group_of_a_cluster() -> None:
    a = Arena()
    mountain, mined = a.cell(-3, 3), a.cell(-2, 3)
    a.shape(MOUNTAIN, mountain)
    rim = lake_of_land(a, mountain, mined)
    beside_mine_only = sorted(rim - lake_of_land(a, mountain))
    last = beside_mine_only[-1]
    a.mines_everywhere_but(*rim)
    a.put(MINE, mined)
    a.own(1, *(rim - {last}))
    assert a.owner(mountain) == 0
    a.capture(0, last)
    assert (a.owner(mountain), a.owner(mined), a.inner.item[mined]) == (1, 1, 0)


# -- items by surrounding ------------------------------------------------------------------------


@pytest.mark.parametrize(("item", "cost"), [(MINE, 300), (DECOY, 300), (FLASHBANG, 400)])
def test_surrounded_items_are_captured_and_sold_for_three_quarters(item: int, cost: int) -> None:
    a = Arena()
    group = [a.cell(-3, 3), a.cell(-2, 3)]
    rim = sorted(lake_of_land(a, *group))
    a.mines_everywhere_but(*rim)
    for cell in range(a.inner.topo.size):
        if a.inner.item[cell] and any(n in rim for n in a.around(cell)):
            a.inner.item[cell] = 0  # nothing else is surrounded by the way
    a.put(item, *group)
    a.put(MINE, *(c for r in rim for c in a.around(r) if c not in rim and not a.owner(c)))
    a.put(item, *group)
    a.own(1, *rim[:-1])
    before = a.money(0)
    rate = a.inner.cities[0].rate
    a.capture(0, rim[-1])
    assert all(a.owner(c) == 1 and not a.inner.item[c] for c in group)
    assert a.money(0) == before + 250 * rate + 2 * cost * 750
    assert all(c in a.inner.shield for c in group), "captured land is protected"


def test_an_item_group_is_not_taken_while_one_safe_tile_around_it_is_not_held() -> None:
    a = Arena()
    group = [a.cell(-3, 3), a.cell(-2, 3)]
    rim = sorted(lake_of_land(a, *group))
    a.mines_everywhere_but(*rim)
    a.own(1, *rim[:-2])
    a.capture(0, rim[-2])
    assert all(a.owner(c) == 0 and a.inner.item[c] for c in group)


def test_protected_land_is_not_taken_by_surrounding_either_until_the_protection_ends() -> None:
    a = Arena()
    trap = a.cell(-3, 3)
    rim = sorted(a.around(trap))
    a.mines_everywhere_but(*rim, trap)
    a.own(2, trap)
    a.put(MINE, trap)
    a.inner.shield[trap] = 2500
    a.inner.add_timer(2500, "unprotect", trap)
    a.own(1, *rim[:-1])
    a.capture(0, rim[-1])
    assert (a.owner(trap), a.inner.item[trap]) == (2, MINE)
    a.wait_until(2500)
    assert (a.owner(trap), a.inner.item[trap]) == (1, 0)


def test_the_last_safe_tile_within_a_group_completes_it_for_who_holds_the_land_around_it() -> None:
    a = Arena()
    middle = a.cell(-3, 4)
    mined = a.around(middle)
    rim = lake_of_land(a, middle, *mined)
    a.own(2, middle, *mined)
    a.put(MINE, *mined)
    a.own(1, *rim)
    assert a.owner(middle) == 2, "safe land that is not held"
    a.do(1, "deploy", item="decoy", cell=middle)
    assert all(a.owner(c) == 1 and not a.inner.item[c] for c in (middle, *mined))


def test_the_end_of_a_protection_within_a_group_completes_it_likewise() -> None:
    a = Arena()
    middle = a.cell(-3, 4)
    group = (middle, *a.around(middle))
    rim = sorted(lake_of_land(a, *group))
    a.own(2, *group)
    a.put(MINE, *group)
    a.inner.shield[middle] = 2500
    a.inner.add_timer(2500, "unprotect", middle)
    a.own(1, *rim)
    a.wait_until(2499)
    assert all(a.owner(c) == 2 for c in group)
    a.wait_until(2500)
    assert all(a.owner(c) == 1 for c in group)


# -- cities --------------------------------------------------------------------------------------


def besiege(a: Arena, seat: int, number: int) -> int:
    """The empire of this seat captures the last tile around a city; when it has."""
    empire = seat + 1
    ring = a.around(a.city(number))
    a.own(empire, *ring[:-1])
    outside = next(n for n in a.around(ring[-1]) if n not in ring and n != a.city(number))
    a.own(empire, outside)
    a.own(0, ring[-1])
    a.mines_everywhere_but(ring[-1])
    a.capture(seat, ring[-1])
    return a.t


def test_a_city_is_owned_after_holding_all_around_it_for_five_seconds() -> None:
    a = Arena()
    held = besiege(a, 0, 2)
    a.wait_until(held + 4999)
    assert a.owner(a.city(2)) == 0
    a.wait_until(held + 5000)
    assert a.owner(a.city(2)) == 1
    assert a.score(1)["captures"] == 1
    assert a.score(1)["cities"] == 2


def test_a_break_starts_the_five_seconds_anew() -> None:
    a = Arena()
    held = besiege(a, 0, 2)
    ring = a.around(a.city(2))
    foe = next(n for n in a.around(ring[0]) if n not in ring and n != a.city(2))
    a.own(2, foe)
    a.wait_until(held + 3000)
    a.capture(1, ring[0])
    a.wait_until(held + 7000)
    assert a.owner(a.city(2)) == 0
    a.capture(0, ring[0])
    again = a.t
    a.wait_until(again + 4999)
    assert a.owner(a.city(2)) == 0
    a.wait_until(again + 5000)
    assert a.owner(a.city(2)) == 1


def test_a_siege_broken_in_the_last_moment_takes_nothing() -> None:
    a = Arena()
    ring = a.around(a.city(2))
    foe = next(n for n in a.around(ring[0]) if n not in ring and n != a.city(2))
    a.own(2, foe)
    held = besiege(a, 0, 2)
    falls = next(t for t in a.inner.timers if t[2] == "fall")
    a.wait_until(held + 4750)
    a.act(1, "capture", cell=ring[0])
    # The capture's timer first, then the siege's, both due at the same time.
    a.inner.timers.remove(falls)
    heapify(a.inner.timers)
    a.inner.add_timer(*falls[:1], "fall", *falls[3])
    a.wait_until(held + 5000)
    assert a.owner(ring[0]) == 2
    assert a.owner(a.city(2)) == 0


def test_a_city_stays_owned_without_the_land_around_it() -> None:
    a = Arena()
    ring = a.around(a.city(0))
    a.own(0, *ring)
    a.wait(60_000)
    assert a.owner(a.city(0)) == 1
    a.mines_everywhere_but(ring[0])
    a.capture(0, ring[0])
    assert a.owner(ring[0]) == 1, "the city's own tile reaches nobody's land beside it"


def test_taking_a_neutral_city_gives_it_five_base_units() -> None:
    a = Arena()
    besiege(a, 0, 2)
    assert a.money(2) == 0, "neutral cities earn nothing"
    a.wait(5000)
    assert a.money(2) == 5 * 100_000


def test_of_a_taken_citys_money_a_quarter_stays_and_the_rest_goes_to_the_other_cities() -> None:
    a = Arena()
    a.own(2, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 1)
    a.inner.cities[1].bank = 4_000_001
    a.inner.cities[1].at = a.t
    a.inner.cities[2].bank = 0
    a.inner.cities[2].at = a.t
    a.ready()
    rates = [city.rate for city in a.inner.cities]
    a.wait(8000)
    lost = 4_000_001 + 8000 * rates[1]
    assert a.owner(a.city(1)) == 1
    assert a.money(1) == lost * 25 // 100
    assert a.money(2) == 8000 * rates[2] + lost - lost * 25 // 100


# -- structures ----------------------------------------------------------------------------------


def stand(a: Arena, kind: int, *cells: int) -> Structure:
    structure = Structure(kind, cells, (0, 3, 8, 5, 4)[kind], 100_000)
    for cell in cells:
        a.inner.kind[cell] = FOUNDATION if kind != BRIDGE else WATER
        a.inner.structures[cell] = structure
    a.ready()
    return structure


def test_a_road_is_captured_like_land() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    a.own(2, spot)
    stand(a, ROAD, spot)
    a.capture(0, spot)
    assert a.owner(spot) == 1
    assert a.inner.structures[spot].kind == ROAD


def test_a_barricade_joins_mountains_for_capture_and_each_can_be_lost_alone() -> None:
    a = Arena()
    left, wall, right = a.cell(-3, 3), a.cell(-2, 3), a.cell(-1, 3)
    a.shape(MOUNTAIN, left, right)
    rim = lake_of_land(a, left, wall, right)
    a.mines_everywhere_but(*rim)
    a.own(2, wall)
    stand(a, BARRICADE, wall)
    around_left = lake_of_land(a, left) - {wall}
    far = next(c for c in sorted(rim) if c not in lake_of_land(a, left))
    a.own(1, *(rim - {far}))
    assert a.refused(0, "capture", cell=wall) == "surround_it"
    near = sorted(around_left)[0]
    a.own(0, near)
    a.capture(0, near)
    assert a.owner(left) == 0, "not alone: the group is not surrounded"
    a.capture(0, far)
    assert [a.owner(c) for c in (left, wall, right)] == [1, 1, 1]
    foe = next(n for n in a.around(far) if n not in rim and n not in (left, wall, right))
    a.own(2, foe)
    a.wait(2600)
    a.capture(1, far)
    assert [a.owner(c) for c in (left, wall, right)] == [1, 1, 0]


def test_a_tower_is_taken_by_surrounding_without_a_wait() -> None:
    a = Arena()
    tower = a.cell(-3, 3)
    rim = sorted(a.around(tower))
    a.mines_everywhere_but(*rim)
    a.own(2, tower)
    stand(a, TOWER, tower)
    a.own(1, *rim[:-1])
    a.capture(0, rim[-1])
    assert a.owner(tower) == 1
    assert a.inner.structures[tower].kind == TOWER


def test_a_tower_next_to_a_cluster_is_taken_with_that_cluster() -> None:
    a = Arena()
    tower, forest = a.cell(-3, 3), a.cell(-2, 3)
    a.shape(FOREST, forest)
    rim = lake_of_land(a, tower, forest)
    a.mines_everywhere_but(*rim)
    a.own(2, tower, forest)
    stand(a, TOWER, tower)
    far = next(c for c in sorted(rim) if c not in a.around(tower))
    near = next(c for c in sorted(rim) if c in a.around(tower))
    a.own(1, *(rim - {far, near}))
    a.capture(0, near)
    assert a.owner(tower) == 2, "the forest is not surrounded yet"
    a.capture(0, far)
    assert (a.owner(tower), a.owner(forest)) == (1, 1)


def test_a_tower_between_two_mountains_acts_as_a_barricade() -> None:
    a = Arena()
    left, tower, right = a.cell(-3, 3), a.cell(-2, 3), a.cell(-1, 3)
    a.shape(MOUNTAIN, left, right)
    rim = lake_of_land(a, left, tower, right)
    a.mines_everywhere_but(*rim)
    a.own(2, tower)
    stand(a, TOWER, tower)
    far = next(c for c in sorted(rim) if c not in lake_of_land(a, left))
    near = next(c for c in sorted(rim) if c in a.around(left) and c not in a.around(right))
    a.own(1, *(rim - {far, near}))
    a.capture(0, near)
    assert a.owner(left) == 0
    a.capture(0, far)
    assert [a.owner(c) for c in (left, tower, right)] == [1, 1, 1]


def test_on_squares_digits_and_capture_use_eight_neighbours_and_clusters_four() -> None:
    a = Arena(topology="square")
    assert len(a.around(a.city(0))) == 8
    corner = a.cell(6, 6)
    a.mines_everywhere_but(corner)
    a.capture(0, corner)
    assert a.owner(corner) == 1, "adjacent by its corner"
    one, diagonal = a.cell(8, 8), a.cell(9, 9)
    a.shape(MOUNTAIN, one, diagonal)
    assert a.inner.cluster[one] is not a.inner.cluster[diagonal]
    a.shape(MOUNTAIN, a.cell(9, 8))
    assert a.inner.cluster[one] is a.inner.cluster[diagonal]


def test_every_number_used_here_is_the_rulesets() -> None:
    assert (RULES.capture_cooldown, RULES.capture_delay) == (125, 250)
    assert (RULES.protected_ms, RULES.siege_ms, RULES.held_siege_ms) == (2500, 5000, 8000)
    assert (RULES.neutral_city_units, RULES.spoils_percent) == (500, 25)
    assert RULES.item_sale_percent == 75
