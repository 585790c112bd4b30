"""Actions from the order to their effect: who may give it when, what it costs, what it does.

An order is checked and paid when it is given, its cooldown begins, and it takes effect after its
delay if what it needs is still so. An order that comes to nothing isn't refunded.
"""

from __future__ import annotations

from games.engine.errors import IllegalAction
from games.engine.game import ONLY, Addressed, Event

from . import structures
from .actions import Action
from .economy import check_money, harvest, pay, price
from .ground import set_item, set_kind
from .items import explode, smoke
from .land import capture, check_capture, open_up, protect
from .sight import level
from .state import Order, State, is_land
from .tiles import (
    BARRICADE,
    BRIDGE,
    DECOY,
    DESTROYED,
    FOG,
    IS_LAND,
    LIMITED,
    MINE,
    NO_REGION,
    NOBODY,
    TOWER,
)


def check(state: State, seat: int, action: Action, t: int) -> None:
    """Raises IllegalAction; changes nothing. Says nothing that the seat may not know."""
    empire = state.empire_of[seat]
    if state.empires[empire].out is not None:
        raise IllegalAction("eliminated", "You have no cities left.")
    free = action.type == "flag" and state.rules.flag_while_stunned
    if state.empires[empire].stunned > t and not free:
        raise IllegalAction("stunned", "You’re stunned.")
    for cell in action.cells:
        if not 0 <= cell < state.topo.size:
            raise IllegalAction("out_of_range", "That tile isn’t on the map.")
    commander = state.commanders[seat]
    if commander.ready.get(action.type, 0) > t:
        raise IllegalAction("cooling_down", "It’s too soon to do that again.")
    if any(order.action == action for order in commander.orders.values()):
        raise IllegalAction("already_ordered", "You’ve already ordered that.")
    check_possible(state, empire, action, t)
    amount = cost(state, empire, action, t)
    if amount:
        check_money(state, empire, _paying_tile(state, empire, action), amount, t)


def check_possible(state: State, empire: int, action: Action, t: int) -> None:
    """Asked when the order is given, at match time t, and again when it takes effect."""
    kind, cell = action.type, action.cells[0]
    if kind == "capture":
        check_capture(state, empire, cell, t)
    elif kind == "strike":
        for struck in action.cells:
            _check_strike(state, empire, struck)
    elif kind == "reveal":
        if level(state, empire, cell) != LIMITED:
            raise IllegalAction("not_limited", "You can only reveal a tile of limited visibility.")
    elif kind == "smoke":
        _check_smoke(state, empire, cell)
    elif kind == "deploy":
        _check_deploy(state, empire, action.what, cell)
    elif kind == "build":
        structures.check_build(state, empire, action.what, action.cells)
    elif kind == "cancel":
        structures.check_cancel(state, empire, cell)
    elif kind == "bulldoze":
        structures.check_bulldoze(state, empire, cell)
    elif kind == "harvest":
        _check_harvest(state, empire, cell)
    elif kind == "ping" and not (state.rules.full_reports and len(state.audience[empire]) > 1):
        raise IllegalAction("no_ally", "You have no ally to ping.")


def _check_strike(state: State, empire: int, cell: int) -> None:
    if level(state, empire, cell) == FOG:
        raise IllegalAction("in_fog", "You can’t see that tile.")
    if not state.rules.strike_reach:
        return
    if state.owner[cell] == empire:
        raise IllegalAction("already_yours", "You can’t strike your own tiles.")
    if not state.near[empire][cell]:
        raise IllegalAction(
            "out_of_reach", "Strike within 3 tiles of your land or within range of a tower."
        )


def _check_smoke(state: State, empire: int, cell: int) -> None:
    if level(state, empire, cell) == FOG:
        raise IllegalAction("in_fog", "You can’t see that tile.")
    if state.owner[cell] in (NOBODY, empire) or not IS_LAND[state.kind[cell]]:
        raise IllegalAction("not_enemy_land", "You can only use smoke on another empire’s land.")


def _check_deploy(state: State, empire: int, item: int, cell: int) -> None:
    if state.owner[cell] != empire or not is_land(state, cell):
        raise IllegalAction("not_your_land", "That isn’t your land.")
    structure = state.structures.get(cell)
    upgrade = item == MINE and state.item[cell] == DECOY
    if (
        (state.item[cell] and not upgrade)
        or cell in state.pending
        or (structure is not None and structure.kind in (BARRICADE, TOWER))
    ):
        raise IllegalAction("not_empty", "There’s already something there.")


def _check_harvest(state: State, empire: int, cell: int) -> None:
    if state.owner[cell] != empire:
        raise IllegalAction("not_your_land", "That tile isn’t yours.")
    if not state.owns_region(empire, cell):
        raise IllegalAction("not_your_region", "You need to own that region’s city.")
    if not state.rules.harvest[state.kind[cell]]:
        raise IllegalAction("nothing_to_harvest", "There’s nothing to harvest there.")


def cost(state: State, empire: int, action: Action, t: int) -> int:
    """The price of the order for this empire at match time t, in thousandths."""
    rules, kind = state.rules, action.type
    if kind == "build":
        if rules.pay_as_built:
            return 0
        tiles = 1 if action.what == BRIDGE else len(action.cells)
        return structures.build_price(state, action.what, tiles)
    if kind == "strike":
        hundredths = rules.strike_units(len(action.cells), state.is_late(t))
    elif kind == "reveal":
        hundredths = rules.reveal_cost
    elif kind == "smoke":
        hundredths = rules.smoke_cost
    elif kind == "deploy":
        hundredths = rules.item_cost(action.what)
    else:
        return 0
    regions = {state.regions[cell] for cell in action.cells} - {NO_REGION}
    foreign = any(state.city_owner(region) != empire for region in regions)
    return price(state, hundredths, foreign)


def _paying_tile(state: State, empire: int, action: Action) -> int:
    """The tile whose region pays: the first one named; for a bridge its own end."""
    if action.type == "build" and action.what == BRIDGE:
        end = structures.bridge_end(state, empire, action.cells[0])
        assert end is not None
        return end
    return action.cells[0]


def give(state: State, seat: int, action: Action) -> None:
    """A checked order: pay, start its cooldown, and let it take effect now or after its delay."""
    empire = state.empire_of[seat]
    if action.type == "flag":
        _flag(state, empire, action)
        return
    amount = cost(state, empire, action, state.now)
    if amount:
        pay(state, empire, _paying_tile(state, empire, action), amount)
    commander = state.commanders[seat]
    cooldown, delay = state.rules.timing(action.type)
    ready = state.now + cooldown
    commander.ready[action.type] = ready
    event = {"type": "ordered", "action": action.type, "cells": list(action.cells), "ready": ready}
    if delay:
        number = commander.next_order
        commander.next_order += 1
        commander.orders[number] = Order(action, state.now + delay)
        state.add_timer(state.now + delay, "order", seat, number)
        event.update(order=number, what=action.what, due=state.now + delay)
    state.changes.events.append(Addressed(ONLY[seat], event))
    if delay:
        _tell_allies(state, seat, "ally_ordered", event)
    elif action.type == "ping":
        told = {"type": "pinged", "seat": seat, "cell": action.cells[0]}
        state.changes.events.append(Addressed(state.audience[empire], told))
    else:
        take_effect(state, empire, action)


def _tell_allies(state: State, seat: int, kind: str, event: Event) -> None:
    """The empire's other commanders see what this one has under way, not when it may act again."""
    allies = state.audience[state.empire_of[seat]] - ONLY[seat]
    if allies and state.rules.full_reports:
        fields = {k: v for k, v in event.items() if k not in ("type", "ready")}
        state.changes.events.append(Addressed(allies, {"type": kind, "seat": seat, **fields}))


def due(state: State, seat: int, number: int) -> None:
    """An order's delay is over."""
    commander = state.commanders[seat]
    order = commander.orders.get(number)
    if order is None or order.due != state.now:
        return
    del commander.orders[number]
    empire = state.empire_of[seat]
    event = {"type": "done", "order": number, "code": None}
    state.changes.events.append(Addressed(ONLY[seat], event))
    _tell_allies(state, seat, "ally_done", {"order": number})
    action = _as_far_as_possible(state, empire, order.action)
    try:
        check_possible(state, empire, action, state.now)
    except IllegalAction as error:
        event["code"] = error.code
        return
    take_effect(state, empire, action)


def _as_far_as_possible(state: State, empire: int, action: Action) -> Action:
    """A strike leaves out tiles that are own or out of reach by now, if any others are left."""
    if action.type != "strike" or not state.rules.strike_reach:
        return action
    near, owner = state.near[empire], state.owner
    cells = tuple(c for c in action.cells if near[c] and owner[c] != empire)
    return Action("strike", cells) if cells else action


def take_effect(state: State, empire: int, action: Action) -> None:
    kind, cell = action.type, action.cells[0]
    if kind == "capture":
        capture(state, empire, cell)
    elif kind == "strike":
        explode(state, action.cells, "strike", empire)
        protect(state, open_up(state, empire, action.cells))
    elif kind == "reveal":
        state.empires[empire].revealed.add(cell)
        state.changes.tiles[empire].add(cell)
    elif kind == "smoke":
        smoke(state, cell)
    elif kind == "deploy":
        set_item(state, cell, action.what)
    elif kind == "build":
        structures.place(state, empire, action.what, action.cells)
    elif kind == "cancel":
        structures.cancel(state, empire, cell)
    elif kind == "bulldoze":
        structures.bulldoze(state, empire, cell)
    elif kind == "harvest":
        harvest(state, empire, cell, state.rules.harvest[state.kind[cell]] * 1000)
        set_kind(state, cell, DESTROYED)


def _flag(state: State, empire: int, action: Action) -> None:
    flags, cell = state.empires[empire].flags, action.cells[0]
    state.changes.tiles[empire].add(cell)
    if action.what:
        flags.add(cell)
    elif cell in flags:
        flags.discard(cell)
        if state.empires[empire].stunned <= state.now:
            protect(state, open_up(state, empire, (cell,)))
