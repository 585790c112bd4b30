"""The reports to players beside their tiles: reasons, amounts, end times, allies, scores."""

from __future__ import annotations

from dataclasses import fields

from games.engine.game import Event
from games.modes.minewars.rules.names import NAMES, city_names
from games.modes.minewars.rules.ruleset import Ruleset
from games.modes.minewars.rules.tiles import BRIDGE, MINE, ROAD, SMOKE_BIT, WATER

from .arena import RULES, Arena
from .test_capture import besiege, stand


def of(kind: str, events: list[Event]) -> list[Event]:
    return [event for event in events if event["type"] == kind]


def test_the_view_has_every_number_that_a_client_computes_with() -> None:
    rules = Arena().look(0)["game"]["rules"]
    assert rules["mine_cost"] == RULES.mine_cost
    assert rules["capture_delay"] == RULES.capture_delay
    missing = {field.name for field in fields(Ruleset)} - set(rules)
    made = ("percent", "river", "cluster", "map_attempts", "city_room")
    assert all(any(part in name for part in made) for name in missing), "how the island is made"


def test_cities_have_names_from_the_seed() -> None:
    names = Arena().look(0)["game"]["names"]
    assert len(set(names)) == 3
    assert set(names) <= set(NAMES)
    assert city_names(b"1" * 32, 12) != city_names(b"2" * 32, 12)


def test_the_end_of_protection_is_told_and_is_in_the_view() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    a.own(2, a.cell(-1, 0))
    got = a.capture(0, spot)
    for seat in (0, 1):
        (tiles,) = of("tiles", got[seat])
        assert tiles["protected"] == [spot, a.t + 2500]
        assert a.look(seat)["game"]["protected"] == {str(spot): a.t + 2500}
    a.wait(2500)
    assert a.look(0)["game"]["protected"] == {}


def test_the_end_of_smoke_is_told_also_when_it_is_renewed() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    for _ in range(2):
        got = a.do(0, "smoke", cell=spot)
        (tiles,) = of("tiles", got[1])
        assert tiles["smoke"] == [spot, a.t + 5000]
        assert a.look(1)["game"]["smoke"] == {str(spot): a.t + 5000}
        assert a.code(1, spot) & SMOKE_BIT
        a.wait(1000)


def test_a_city_that_is_taken_is_told_to_everybody() -> None:
    a = Arena(3)
    a.own(3, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 2)
    got = a.wait(RULES.held_siege_ms)
    for viewer in a.viewers:
        assert {"type": "taken", "city": 2, "by": 1, "from": 3} in got[viewer]


def test_a_sale_says_what_was_sold_and_where_the_money_went() -> None:
    a = Arena()
    mine = a.cell(-3, 2)
    rim = a.around(mine)
    a.mines_everywhere_but(*rim)
    a.own(1, *rim[:-1])
    got = a.capture(0, rim[-1])
    (sold,) = of("sold", got[0])
    assert (sold["city"], sold["amount"]) == (0, 225_000 * len(sold["cells"]))
    assert mine in sold["cells"]
    assert not of("sold", got[1] + got[None])


def test_a_harvest_is_told() -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    got = a.do(0, "harvest", cell=spot)
    told = {"type": "harvested", "cells": [spot], "city": 0, "amount": 100_000}
    assert of("harvested", got[0]) == [told]


def test_a_harvest_counts_towards_what_the_city_is_building() -> None:
    a = Arena()
    a.act(0, "build", structure="tower", cells=[a.cell(-4, 1)])
    before, bank = a.inner.cities[0].jobs[0].built, a.money(0)
    rate = a.inner.cities[0].rate
    a.do(0, "harvest", cell=a.cell(-3, 0))
    assert a.inner.cities[0].jobs[0].built == before + 2000 * rate + 100_000
    assert a.money(0) == bank


def test_a_harvest_that_completes_a_construction_leaves_the_rest_to_the_bank() -> None:
    a = Arena()
    spot = a.cell(-4, 1)
    a.act(0, "build", structure="road", cells=[spot])
    a.inner.cities[0].jobs[0].work = 150_000
    a.ready()
    bank, rate = a.money(0), a.inner.cities[0].rate
    a.do(0, "harvest", cell=a.cell(-3, 0))
    assert a.inner.structures[spot].kind == ROAD
    assert a.money(0) == bank + 2000 * rate + 100_000 - 150_000


def test_a_structure_is_paid_once() -> None:
    a = Arena()
    bank, rate = a.money(0), a.inner.cities[0].rate
    a.act(0, "build", structure="tower", cells=[a.cell(-4, 1)])
    a.wait(60_000)
    assert a.inner.structures
    lost = 60_000 * rate - (a.money(0) - bank)
    # The tile under the tower yields nothing any more: 1 resource a second.
    assert lost == 1_200_000 + 60_000


def test_roads_link_across_a_bridge() -> None:
    a = Arena()
    path = [a.cell(-3, -1), a.cell(-2, -2), a.cell(-1, -3), a.cell(0, -4), a.cell(1, -4)]
    a.own(1, a.city(2), *a.around(a.city(2)), *path)
    river = path[2]
    a.shape(WATER, river)
    a.own(0, river)
    a.inner.regions = bytes(255 if c == river else r for c, r in enumerate(a.inner.regions))
    for cell in path:
        stand(a, BRIDGE if cell == river else ROAD, cell)
    assert a.look(0)["game"]["links"] == [[0, 2]]
    a.own(2, a.cell(-1, -2))
    for _ in range(2):
        got = a.do(1, "strike", cells=[river])
    assert river not in a.inner.structures
    assert {"type": "links", "links": []} in got[0], "without the bridge they are apart"


# -- scores --------------------------------------------------------------------------------------


def test_others_tiles_are_counted_every_fifteen_seconds_and_rounded_to_ten() -> None:
    a = Arena()
    a.put(MINE, *(a.cell(0, y) for y in range(-7, 8)))
    a.capture(0, a.cell(-2, 0))
    mine = a.look(0)["game"]["scores"][0][1]
    assert a.look(1)["game"]["scores"][0][1] == 10, "7 tiles at the start"
    a.wait_until(14_999)
    assert a.look(1)["game"]["scores"][0][1] == 10
    got = a.wait_until(15_000)
    assert a.look(1)["game"]["scores"][0][1] == (mine + 5) // 10 * 10
    assert of("scores", got[1])
    assert not of("scores", got[0]), "nothing is new to the owner"


def test_cities_kills_deaths_and_captures_are_for_all_at_once() -> None:
    a = Arena()
    a.mines_everywhere_but()
    a.capture(0, a.cell(-2, 0))
    assert a.look(1)["game"]["scores"][0] == [1, 10, 0, 1, 0, None]


# -- allies --------------------------------------------------------------------------------------


def test_allies_see_each_others_orders_and_others_do_not() -> None:
    a = Arena(4, team_size=2)
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(spot)
    got = a.act(0, "capture", cell=spot)
    order = {"action": "capture", "cells": [spot], "what": 0, "due": a.t + 250}
    assert got[1] == [{"type": "ally_ordered", "seat": 0, "order": 1, **order}]
    assert got[2] == got[3] == got[None] == []
    assert a.look(1)["game"]["allies"] == {"0": {"1": order}}
    got = a.wait(250)
    assert {"type": "ally_done", "seat": 0, "order": 1} in got[1]
    assert a.look(1)["game"]["allies"] == {"0": {}}


def test_a_stun_puts_off_what_allies_see_of_each_other() -> None:
    a = Arena(4, team_size=2)
    mine, spot = a.cell(-2, 0), a.cell(-3, 1)
    a.mines_everywhere_but(spot)
    a.act(0, "capture", cell=mine)
    a.wait(130)
    a.act(1, "capture", cell=spot)
    a.wait(120)
    assert a.look(0)["game"]["allies"]["1"]["1"]["due"] == 380 + 5000


def test_a_ping_reaches_the_empire_alone() -> None:
    a = Arena(4, team_size=2)
    cell = a.cell(3, 3)
    got = a.act(0, "ping", cell=cell)
    ping = {"type": "pinged", "seat": 0, "cell": cell}
    assert of("pinged", got[0]) == of("pinged", got[1]) == [ping]
    assert got[2] == got[3] == got[None] == []
    assert a.refused(0, "ping", cell=cell) == "cooling_down"
    a.wait(500)
    a.act(0, "ping", cell=cell)


def test_without_an_ally_there_is_nobody_to_ping() -> None:
    a = Arena()
    assert a.refused(0, "ping", cell=0) == "no_ally"
