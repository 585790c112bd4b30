"""Money: whole thousandths, earned exactly by the clock, settled only when something changes."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.errors import IllegalAction
from games.engine.game import Addressed

from .state import City, State
from .tiles import NO_REGION, NOBODY


def price(state: State, cost: int, foreign: bool) -> int:
    """Of a cost in hundredths of a base unit: thousandths, rounded up to the next 100 resources.
    `foreign`: in a region whose city is not one's own."""
    rules = state.rules
    exact = state.unit * cost * rules.price_percent * (rules.foreign_percent if foreign else 100)
    step = rules.price_step * 1000
    return -(-exact // (100 * 100 * 100 * step)) * step


def units(state: State, hundredths: int) -> int:
    """So many hundredths of a base unit, in thousandths."""
    return state.unit * hundredths // 100


def own_cities(state: State, empire: int) -> list[int]:
    owner = state.owner
    return [i for i, city in enumerate(state.cities) if owner[city.cell] == empire]


def local_city(state: State, empire: int, cell: int) -> int:
    """The own city that pays and is paid for what happens on this tile: the region's, else the
    nearest. Only for empires that have a city."""
    region = state.regions[cell]
    if region != NO_REGION and state.city_owner(region) == empire:
        return region
    distance, cities = state.topo.distance, state.cities
    return min(own_cities(state, empire), key=lambda i: (distance(cities[i].cell, cell), i))


def connected(state: State, empire: int, city: int) -> list[int]:
    """This city first, then all that roads connect it with."""
    links = state.empires[empire].links
    group = [city]
    for at in group:
        for a, b in sorted(links):
            other = b if a == at else a if b == at else at
            if other not in group:
                group.append(other)
    return group


def check_money(state: State, empire: int, cell: int, amount: int, t: int) -> None:
    """Raises IllegalAction when the cities that would pay do not have so much."""
    group = connected(state, empire, local_city(state, empire, cell))
    there = sum(state.cities[i].money(t) for i in group)
    if there < amount:
        *others, last = (state.names[i] for i in group)
        names = f"{', '.join(others)} and {last}" if others else last
        have = "have" if others else "has"
        raise IllegalAction(
            "too_expensive", f"Costs {amount // 1000:,}; {names} {have} {there // 1000:,}."
        )


def pay(state: State, empire: int, cell: int, amount: int) -> None:
    """Connected cities pay in proportion to their banks, the local one weighted double. The rest,
    left by rounding or by a bank that is too small for its share, is paid by the local city first,
    then by the others in order."""
    local, *others = connected(state, empire, local_city(state, empire, cell))
    banks = {i: state.cities[i].money(state.now) for i in (local, *others)}
    weight = banks[local] + sum(banks.values())
    left = amount
    shares = {}
    for i, bank in banks.items():
        shares[i] = min(bank, amount * bank * (2 if i == local else 1) // weight if weight else 0)
        left -= shares[i]
    for i, bank in banks.items():
        more = min(left, bank - shares[i])
        shares[i] += more
        left -= more
        add_money(state, i, -shares[i])
    assert left == 0


def add_money(state: State, number: int, amount: int) -> None:
    if amount:
        city = state.cities[number]
        city.settle(state.now)
        city.bank += amount
        state.changes.banks.add(number)


def earn(state: State, empire: int, cell: int, amount: int) -> int | None:
    """Goes to the city that would pay for something on this tile, which is returned."""
    if not own_cities(state, empire):
        return None
    number = local_city(state, empire, cell)
    add_money(state, number, amount)
    return number


def harvest(state: State, empire: int, cell: int, amount: int) -> None:
    """Counts towards what the city is building, if it is building; else it goes to its bank."""
    number = local_city(state, empire, cell)
    city = state.cities[number]
    if state.rules.harvest_builds and city.jobs:
        city.settle(state.now)
        city.jobs[0].built += amount
        state.changes.jobs.add(number)
    else:
        add_money(state, number, amount)
    report(state, empire, "harvested", (cell,), number, amount)


def report(
    state: State, empire: int, kind: str, cells: Iterable[int], city: int, amount: int
) -> None:
    """Tell the empire what it got for these tiles, and which city has it."""
    if state.rules.full_reports:
        event = {"type": kind, "cells": list(cells), "city": city, "amount": amount}
        state.changes.events.append(Addressed(state.audience[empire], event))


def rate_of(state: State, number: int) -> int:
    """Thousandths a millisecond, which is resources a second."""
    owner = state.city_owner(number)
    if owner == NOBODY or state.empires[owner].stunned > state.now:
        return 0
    return state.rules.city_income + state.empires[owner].worth[number]


def update_rates(state: State) -> None:
    """Of the cities noted: settle what was earned at the old rate, go on at the new one."""
    changes = state.changes
    for number in sorted(changes.rates | changes.jobs):
        city = state.cities[number]
        rate = rate_of(state, number)
        if rate != city.rate:
            city.settle(state.now)
            city.rate = rate
            changes.banks.add(number)
        elif number not in changes.jobs:
            continue
        schedule(state, number, city)
    changes.rates.clear()


def schedule(state: State, number: int, city: City) -> None:
    """Set the time at which the first job will be done, at the present rate."""
    city.finishes = 0
    if city.jobs and city.rate:
        job = city.jobs[0]
        left = max(0, job.work - job.built - city.rate * (state.now - city.at))
        city.finishes = state.now + -(-left // city.rate)
        state.add_timer(city.finishes, "build", number)
