"""A bot believes that it can pay exactly what the engine lets it pay."""

from __future__ import annotations

import pytest

from games.engine.errors import IllegalAction
from games.modes.minewars.bot.purse import Purse
from games.modes.minewars.rules import orders
from games.modes.minewars.rules.actions import Action
from games.modes.minewars.tests.arena import RULES, Arena


def purse(arena: Arena, seat: int) -> Purse:
    return Purse(arena.look(seat)["game"], RULES, arena.inner.topo, arena.t)


def test_the_nearest_own_city_pays_on_foreign_land():
    arena = Arena()
    north = arena.cell(1, -4)
    assert purse(arena, 0).region(north) == 2
    cost = RULES.strike_cost + RULES.strike_tile_cost
    assert purse(arena, 0).can_pay(cost, [north])
    assert purse(arena, 0).price(cost, [north]) == 400_000  # 2.5 units and a quarter on top
    assert purse(arena, 0).money(north) == arena.money(0)


@pytest.mark.parametrize("short", [0, 1])
def test_the_last_thousandth_counts(short: int):
    arena = Arena()
    cell = arena.around(arena.city(0))[0]
    action = Action("deploy", (cell,), 1)
    price = orders.cost(arena.inner, 1, action, arena.t)
    arena.inner.cities[0].bank = price - short
    arena.inner.cities[0].at = arena.t
    arena.ready()
    assert purse(arena, 0).can_pay(RULES.mine_cost, [cell]) is not bool(short)
    if short:
        with pytest.raises(IllegalAction):
            orders.check(arena.inner, 0, action, arena.t)
    else:
        orders.check(arena.inner, 0, action, arena.t)
