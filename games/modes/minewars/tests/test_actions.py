"""The table of actions: cooldown, delay, cost and place of every row."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import BadAction, IllegalAction
from games.engine.registry import MODES
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
    LIMITED,
    MINE,
    MOUNTAIN,
    ROAD,
    TOWER,
    WATER,
)

from .arena import Arena
from .test_capture import stand

ROWS = {
    "capture": (125, 250),
    "strike": (1000, 1000),
    "reveal": (1000, 250),
    "smoke": (1000, 500),
    "deploy": (1000, 500),
    "build": (500, 0),
    "cancel": (500, 0),
    "bulldoze": (2000, 5000),
    "harvest": (1000, 2000),
}


def ready_for_everything() -> tuple[Arena, dict[str, dict[str, Any]]]:
    """An arena in which each action of the table is possible, and that action."""
    a = Arena()
    spot, enemy, built, job = a.cell(-2, 0), a.cell(-2, 1), a.cell(-4, -1), a.cell(-5, 0)
    a.mines_everywhere_but(spot, a.cell(-1, 0))
    a.own(2, enemy)
    a.put(0, enemy)
    stand(a, ROAD, built)
    a.act(0, "build", structure="tower", cells=[job])
    a.wait(500)
    return a, {
        "capture": {"cell": spot},
        "strike": {"cells": [a.cell(-1, 0)]},
        "reveal": {"cell": a.cell(-1, 0)},
        "smoke": {"cell": enemy},
        "deploy": {"item": "mine", "cell": a.cell(-3, 0)},
        "build": {"structure": "road", "cells": [a.cell(-4, 1)]},
        "cancel": {"cell": job},
        "bulldoze": {"cell": built},
        "harvest": {"cell": a.cell(-3, -1)},
    }


def effect(a: Arena, kind: str, given: dict[str, Any]) -> Any:
    """Something that this action changes."""
    state = a.inner
    cell = given.get("cell", given.get("cells", [0])[0])
    return (
        a.owner(cell),
        state.kind[cell],
        state.item[cell],
        cell in state.smoke,
        cell in state.structures,
        cell in state.pending,
        cell in state.empires[1].revealed,
    )


@pytest.mark.parametrize(("kind", "times"), ROWS.items())
def test_delay_of_every_action(kind: str, times: tuple[int, int]) -> None:
    a, actions = ready_for_everything()
    before = effect(a, kind, actions[kind])
    a.act(0, kind, **actions[kind])
    if times[1]:
        a.wait(times[1] - 1)
        assert effect(a, kind, actions[kind]) == before
        a.wait(1)
    assert effect(a, kind, actions[kind]) != before


def refusal(a: Arena, kind: str, given: dict[str, Any]) -> str | None:
    try:
        a.game.check(a.state, 0, a.game.parse_action({"type": kind, **given}))
    except IllegalAction as error:
        return error.code
    return None


@pytest.mark.parametrize(("kind", "times"), ROWS.items())
def test_cooldown_of_every_action(kind: str, times: tuple[int, int]) -> None:
    """Too soon is told as such, whatever else would be wrong; then it is not the reason."""
    a, actions = ready_for_everything()
    a.act(0, kind, **actions[kind])
    a.wait(times[0] - 1)
    assert a.refused(0, kind, **actions[kind]) == "cooling_down"
    for other in ROWS:
        if other != kind:  # each kind of action has its own cooldown
            assert refusal(a, other, actions[other]) != "cooling_down"
    a.wait(1)
    assert refusal(a, kind, actions[kind]) != "cooling_down"


def test_flags_have_neither_cooldown_nor_delay_and_go_on_any_tile() -> None:
    a = Arena()
    for cell in (0, a.city(1), a.cell(3, 3), a.cell(-3, 0)):
        a.do(0, "flag", cell=cell, on=True)
        assert cell in a.inner.empires[1].flags
        a.do(0, "flag", cell=cell, on=False)
        assert cell not in a.inner.empires[1].flags


COSTS = [
    ("strike", {"cells": 1}, 250),
    ("strike", {"cells": 2}, 300),
    ("strike", {"cells": 4}, 400),
    ("reveal", {}, 100),
    ("smoke", {}, 100),
    ("deploy", {"item": "mine"}, 300),
    ("deploy", {"item": "decoy"}, 300),
    ("deploy", {"item": "flashbang"}, 400),
]


@pytest.mark.parametrize(("kind", "how", "hundredths"), COSTS)
def test_cost_of_every_action_rounded_up_to_the_next_hundred(
    kind: str, how: dict[str, Any], hundredths: int
) -> None:
    a, actions = ready_for_everything()
    given = dict(actions[kind])
    if "cells" in how:
        given["cells"] = [a.cell(-1, 0), a.cell(-2, 0), a.cell(-1, 1), a.cell(-2, -1)]
        given["cells"] = given["cells"][: how["cells"]]
    given |= {"item": how["item"]} if "item" in how else {}
    a.shape(LAND)
    a.inner.regions = bytes(0 if r != 255 else r for r in a.inner.regions)  # all in the own region
    a.inner.unit = 123_456
    a.inner.cities[0].bank = before = 10**9
    a.inner.cities[0].jobs.clear()
    a.inner.cities[0].at = a.t
    a.ready()
    a.act(0, kind, **given)
    exact = 123_456 * hundredths
    assert before - a.money(0) == -(-exact // 10_000_000) * 100_000


@pytest.mark.parametrize(
    ("structure", "tiles", "hundredths"),
    [("road", 1, 100), ("road", 3, 300), ("barricade", 1, 800), ("tower", 1, 1200)],
)
def test_cost_of_every_structure(structure: str, tiles: int, hundredths: int) -> None:
    a = Arena()
    cells = [a.cell(-4, 1), a.cell(-4, -1), a.cell(-3, 0)][:tiles]
    if structure == "barricade":
        left, cells, right = a.cell(-3, 3), [a.cell(-2, 3)], a.cell(-1, 3)
        a.shape(MOUNTAIN, left, right)
        a.inner.regions = bytes(0 if r != 255 else r for r in a.inner.regions)
        a.own(1, left, right, *cells)
    a.ready()
    before = a.money(0)
    a.act(0, "build", structure=structure, cells=cells)
    assert a.money(0) == before, "paid with what the city earns while it builds"
    works = [job.work for job in a.inner.cities[0].jobs]
    assert sum(works) == pytest.approx(-(-hundredths // 100) * 100_000, abs=len(works))


def test_cost_of_a_bridge() -> None:
    a = Arena()
    a.shape(WATER, a.cell(-2, 0))
    a.act(0, "build", structure="bridge", cells=[a.cell(-2, 0)])
    assert [job.work for job in a.inner.cities[0].jobs] == [500_000]


def test_costs_are_a_quarter_more_in_a_region_whose_city_is_not_ones_own() -> None:
    a = Arena()
    spot = a.cell(3, 1)
    a.own(1, a.cell(2, 2))
    before = a.money(0)
    assert a.inner.regions[spot] == 1
    a.act(0, "strike", cells=[spot])
    assert before - a.money(0) == 400_000, "2.5 * 1.25 = 3.125 units, up to the next 100"
    a.wait(1000)
    before = a.money(0)
    a.act(0, "deploy", item="mine", cell=a.cell(2, 2))
    assert before - a.money(0) == 400_000, "3 * 1.25 = 3.75"


def test_water_is_in_no_region_and_costs_no_more_by_itself() -> None:
    a = Arena()
    water, foreign = a.cell(-1, 0), a.cell(3, 1)
    a.shape(WATER, water)
    a.inner.regions = bytes(255 if c == water else r for c, r in enumerate(a.inner.regions))
    a.inner.unit = 1_000_000
    a.own(1, a.cell(2, 2))
    before = a.money(0)
    a.act(0, "strike", cells=[water])
    assert before - a.money(0) == 2_500_000, "2.5 units"
    a.wait(1000)
    before = a.money(0)
    a.act(0, "strike", cells=[water, foreign])
    assert before - a.money(0) == 3_800_000, "3 * 1.25 = 3.75 units"


def test_not_enough_money_is_refused_with_the_price_and_what_is_there() -> None:
    a = Arena()
    a.inner.cities[0].bank = 120_000
    a.ready()
    action = a.game.parse_action({"type": "deploy", "item": "mine", "cell": a.cell(-3, 0)})
    with pytest.raises(IllegalAction, match=r"Costs 300; Larkhill has 120\."):
        a.game.check(a.state, 0, action)
    assert a.refused(0, "deploy", item="mine", cell=a.cell(-3, 0)) == "too_expensive"


def test_several_cities_that_pay_together_are_all_named() -> None:
    a = Arena()
    path = [a.cell(-3, -1), a.cell(-2, -2), a.cell(-1, -3), a.cell(0, -4), a.cell(1, -4)]
    a.own(1, a.city(2), *a.around(a.city(2)), *path)
    for cell in path:
        stand(a, ROAD, cell)
    a.inner.cities[0].bank = a.inner.cities[2].bank = 100_000
    a.ready()
    action = a.game.parse_action({"type": "deploy", "item": "mine", "cell": a.cell(-3, 0)})
    names = a.look(0)["game"]["names"]
    with pytest.raises(IllegalAction, match=f"Costs 300; {names[0]} and {names[2]} have 200"):
        a.game.check(a.state, 0, action)


# -- where ---------------------------------------------------------------------------------------


def test_strike_reaches_foreign_tiles_within_three_of_an_own_one() -> None:
    a = Arena()
    a.own(2, a.cell(0, 0))
    assert a.refused(0, "strike", cells=[a.cell(3, 3)]) == "in_fog"
    assert a.refused(0, "strike", cells=[a.cell(-1, 0), a.cell(3, 3)]) == "in_fog"
    assert a.refused(0, "strike", cells=[a.cell(-3, 0)]) == "already_yours"
    a.do(0, "strike", cells=[a.cell(-1, 0), a.cell(0, 0)])
    assert a.inner.kind[a.cell(-1, 0)] == a.inner.kind[a.cell(0, 0)] == DESTROYED


def test_a_city_or_a_mountain_that_is_seen_from_afar_is_no_nearer_for_that() -> None:
    a = Arena()
    range_ = [a.cell(q, 0) for q in range(3)]
    a.shape(MOUNTAIN, *range_)
    assert a.level(0, range_[-1]) == LIMITED
    assert a.refused(0, "strike", cells=[range_[-1]]) == "out_of_reach"
    assert a.refused(0, "strike", cells=[a.city(1)]) == "out_of_reach"
    a.own(1, a.cell(2, 1))
    a.do(0, "strike", cells=[a.city(1)])
    assert a.inner.kind[a.city(1)] == FOUNDATION, "a city is not destroyed"


def test_a_strike_reaches_as_far_as_an_own_tower() -> None:
    a = Arena()
    spot, tower = a.cell(1, 0), a.cell(-4, 1)
    assert a.refused(0, "strike", cells=[spot]) == "in_fog"
    stand(a, TOWER, tower)
    a.ready()
    a.do(0, "strike", cells=[spot])
    assert a.inner.kind[spot] == DESTROYED


def test_a_strike_leaves_out_what_is_own_by_the_time_it_hits() -> None:
    a = Arena()
    mine, foreign = a.cell(-2, 0), a.cell(-1, 1)
    a.mines_everywhere_but(mine)
    a.act(0, "strike", cells=[mine, foreign])
    a.capture(0, mine)
    got = a.wait(750)
    assert {"type": "exploded", "cells": [foreign], "cause": "strike", "by": 1} in got[0]
    assert (a.inner.kind[mine], a.inner.kind[foreign]) == (LAND, DESTROYED)


def test_strike_removes_items_and_destroys_the_land() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    for item in (MINE, DECOY, FLASHBANG):
        a.put(item, spot)
        a.wait(1000)
        got = a.do(0, "strike", cells=[spot])
        assert a.inner.item[spot] == 0
        assert not any(e["type"] in ("killed", "flashed") for e in got[0])
    assert a.owner(spot) == 2, "its owner keeps the destroyed land"


def test_reveal_needs_a_limited_foreign_tile() -> None:
    a = Arena()
    assert a.refused(0, "reveal", cell=a.cell(3, 3)) == "not_limited"
    assert a.refused(0, "reveal", cell=a.cell(-3, 0)) == "not_limited"
    assert a.refused(0, "reveal", cell=a.city(1)) == "not_limited"


def test_smoke_needs_an_enemy_tile_above_fog() -> None:
    a = Arena()
    assert a.refused(0, "smoke", cell=a.cell(4, 1)) == "in_fog"
    assert a.refused(0, "smoke", cell=a.cell(-1, 0)) == "not_enemy_land"
    assert a.refused(0, "smoke", cell=a.cell(-3, 0)) == "not_enemy_land"


def test_smoke_hides_the_digit_from_its_owner_for_five_seconds() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    a.put(MINE, a.cell(0, 0))
    assert a.digit(1, spot) == "1"
    a.do(0, "smoke", cell=spot)
    assert a.digit(1, spot) is None
    a.wait(4999)
    assert a.digit(1, spot) is None
    a.wait(1)
    assert a.digit(1, spot) == "1"


def test_an_explosion_clears_smoke() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    a.do(0, "smoke", cell=spot)
    a.do(0, "strike", cells=[spot])
    assert a.digit(1, spot) == "0"


def test_deploy_needs_own_empty_land() -> None:
    a = Arena()
    assert a.refused(0, "deploy", item="mine", cell=a.cell(-2, 0)) == "not_your_land"
    assert a.refused(0, "deploy", item="mine", cell=a.city(0)) == "not_your_land"
    spot = a.cell(-3, 0)
    for item in (MINE, FLASHBANG):
        a.put(item, spot)
        for new in ("mine", "decoy", "flashbang"):
            assert a.refused(0, "deploy", item=new, cell=spot) == "not_empty"
    a.put(0, spot)
    stand(a, TOWER, spot)
    assert a.refused(0, "deploy", item="mine", cell=spot) == "not_empty"


def test_a_decoy_can_be_upgraded_to_a_mine_and_to_nothing_else() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.put(DECOY, spot)
    assert a.refused(0, "deploy", item="flashbang", cell=spot) == "not_empty"
    a.do(0, "deploy", item="mine", cell=spot)
    assert a.inner.item[spot] == MINE


@pytest.mark.parametrize("kind", [LAND, FERTILE, DESTROYED, FOUNDATION])
def test_items_can_be_deployed_on_every_kind_of_land_and_on_roads(kind: int) -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.shape(kind, spot)
    if kind == FOUNDATION:
        stand(a, ROAD, spot)
    a.do(0, "deploy", item="flashbang", cell=spot)
    assert a.inner.item[spot] == FLASHBANG


def test_no_action_ever_removes_an_own_item_but_an_explosion() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.put(MINE, spot)
    assert a.refused(0, "bulldoze", cell=spot) == "nothing_there"
    assert a.refused(0, "cancel", cell=spot) == "nothing_there"
    a.do(0, "harvest", cell=spot)
    assert a.inner.item[spot] == MINE


@pytest.mark.parametrize(
    ("kind", "gives"), [(LAND, 100), (FERTILE, 250), (FOREST, 420), (MOUNTAIN, 600)]
)
def test_harvest_gives_by_kind_and_leaves_destroyed_land(kind: int, gives: int) -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    a.shape(kind, spot)
    before, rate = a.money(0), a.inner.cities[0].rate
    a.do(0, "harvest", cell=spot)
    assert a.money(0) == before + 2000 * rate + gives * 1000
    assert a.inner.kind[spot] == DESTROYED
    assert a.owner(spot) == 1


@pytest.mark.parametrize("kind", [DESTROYED, FOUNDATION])
def test_there_is_nothing_to_harvest_on_destroyed_land_and_foundations(kind: int) -> None:
    a = Arena()
    a.shape(kind, a.cell(-3, 0))
    assert a.refused(0, "harvest", cell=a.cell(-3, 0)) == "nothing_to_harvest"


def test_harvest_needs_the_own_tile_and_the_regions_city() -> None:
    a = Arena()
    assert a.refused(0, "harvest", cell=a.cell(-2, 0)) == "not_your_land"
    spot = a.cell(3, 2)
    a.own(1, spot)
    assert a.inner.regions[spot] == 1
    assert a.refused(0, "harvest", cell=spot) == "not_your_region"


def test_harvesting_the_middle_of_a_cluster_leaves_two() -> None:
    a = Arena()
    row = [a.cell(q, 2) for q in (-5, -4, -3)]
    a.shape(FOREST, *row)
    a.own(1, *row)
    a.do(0, "harvest", cell=row[1])
    assert a.inner.cluster[row[0]] is not a.inner.cluster[row[2]]
    assert [a.owner(c) for c in row] == [1, 1, 1]


def test_an_order_that_is_no_longer_possible_comes_to_nothing_and_says_why() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    a.own(2, a.cell(-1, 0))
    a.act(0, "capture", cell=spot)
    a.wait(10)
    a.act(1, "capture", cell=spot)
    got = a.wait(260)
    assert a.owner(spot) == 1
    done = [e for e in got[1] if e["type"] == "done"]
    assert [e["code"] for e in done] == ["protected"]


def test_the_same_order_is_not_given_twice() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.act(0, "capture", cell=spot)
    a.wait(130)
    assert a.refused(0, "capture", cell=spot) == "already_ordered"


def test_cells_off_the_map_are_refused() -> None:
    a = Arena()
    for cell in (-1, a.inner.topo.size):
        assert a.refused(0, "capture", cell=cell) == "out_of_range"
        assert a.refused(0, "strike", cells=[cell]) == "out_of_range"


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "capture"},
        {"type": "capture", "cell": True},
        {"type": "capture", "cell": 1, "more": 1},
        {"type": "strike", "cells": []},
        {"type": "strike", "cells": [1, 1]},
        {"type": "strike", "cells": list(range(20))},
        {"type": "strike", "cells": [1.0]},
        {"type": "strike", "cells": "12"},
        {"type": "deploy", "item": "none", "cell": 1},
        {"type": "deploy", "item": 1, "cell": 1},
        {"type": "build", "structure": "castle", "cells": [1]},
        {"type": "build", "structure": "road", "cells": list(range(65))},
        {"type": "vote", "cities": [0, 1, 2]},
        {"type": "flag", "cell": 1},
        {"type": "flag", "cell": 1, "on": 1},
        {"type": "fly", "cell": 1},
        {"type": "ready"},
        ["capture", 1],
        None,
    ],
)
def test_bad_actions_never_reach_the_rules(raw: Any) -> None:
    with pytest.raises(BadAction):
        MODES["minewars"].parse_action(raw)


def test_structures_and_items_by_name() -> None:
    parse = MODES["minewars"].parse_action
    names = [("road", ROAD), ("barricade", BARRICADE), ("tower", TOWER), ("bridge", BRIDGE)]
    for name, number in names:
        assert parse({"type": "build", "structure": name, "cells": [1]}).what == number
