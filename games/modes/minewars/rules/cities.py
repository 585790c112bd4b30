"""Cities: besieged, taken, lost; and empires without one."""

from __future__ import annotations

from games.engine.game import Addressed

from .broadcast import tell_all, watch
from .economy import add_money, own_cities, units
from .ground import drop_job, set_owner
from .land import protect
from .state import State, is_land
from .tiles import NOBODY


def update_sieges(state: State, cells: set[int]) -> None:
    """After these tiles got new owners: which cities are surrounded now, and by whom?"""
    owner, cities = state.owner, state.cities
    for number in sorted({state.beside_city[c] for c in cells if c in state.beside_city}):
        city = cities[number]
        holders = {owner[n] for n in state.topo.neighbours[city.cell]}
        holder = holders.pop() if len(holders) == 1 else NOBODY
        if holder == owner[city.cell]:
            holder = NOBODY
        if holder != city.siege:
            told = {city.siege, holder, owner[city.cell]}
            city.siege = holder
            city.falls = state.now + _siege_ms(state, number) if holder else 0
            if holder:
                state.add_timer(city.falls, "fall", number)
            _tell_siege(state, number, told)


def _siege_ms(state: State, number: int) -> int:
    rules = state.rules
    if state.is_late(state.now):
        return rules.late_siege_ms
    return rules.held_siege_ms if state.city_owner(number) else rules.siege_ms


def _tell_siege(state: State, number: int, empires: set[int]) -> None:
    """Tell those who take part, the one around it and the one in it; and those who no longer do
    that it is over for them. With full reports, `views` tells everybody who sees it."""
    if state.rules.full_reports:
        return
    city = state.cities[number]
    for empire in sorted(empires - {NOBODY}):
        concerned = empire in (city.siege, state.owner[city.cell])
        by, falls = (city.siege, city.falls) if concerned else (NOBODY, 0)
        event = {"type": "siege", "city": number, "by": by, "falls": falls}
        state.changes.events.append(Addressed(state.audience[empire], event))


def fall(state: State, number: int) -> None:
    """The siege was held for long enough."""
    city = state.cities[number]
    if city.falls != state.now or not city.siege:
        return
    new, old = city.siege, state.owner[city.cell]
    if any(state.owner[n] != new for n in state.topo.neighbours[city.cell]):
        return  # broken in this very moment
    city.siege, city.falls = NOBODY, 0
    _tell_siege(state, number, {new, old})
    _drop_jobs(state, number)
    city.settle(state.now)
    if old == NOBODY:
        add_money(state, number, units(state, state.rules.neutral_city_units))
    else:
        stays = city.bank * state.rules.spoils_percent // 100
        moved = city.bank - stays
        city.bank = stays
        _share(state, [c for c in own_cities(state, old) if c != number], moved)
    give_city(state, number, new)
    _take_land(state, number, new, old)
    state.empires[new].captures += 1
    if state.rules.full_reports:
        tell_all(state, {"type": "taken", "city": number, "by": new, "from": old})
    if old and not state.empires[old].cities:
        eliminate(state, old)


def _take_land(state: State, number: int, new: int, old: int) -> None:
    """The loser's land around a city goes with the city, and nobody takes it back at once."""
    radius = state.rules.fall_radius
    if not old or not radius:
        return
    disc = state.topo.disc(state.cities[number].cell, radius)
    lost = [cell for cell in disc if state.owner[cell] == old and is_land(state, cell)]
    for cell in lost:
        set_owner(state, cell, new)
    protect(state, lost)


def _share(state: State, numbers: list[int], amount: int) -> None:
    """Evenly; the first cities take what does not divide. Without any, it is lost."""
    for i, number in enumerate(numbers):
        more = i < amount % len(numbers)
        add_money(state, number, amount // len(numbers) + more)


def give_city(state: State, number: int, empire: int) -> None:
    """The city changes hands, with the money that is in it."""
    city = state.cities[number]
    city.settle(state.now)
    old = state.owner[city.cell]
    for who, more in ((old, -1), (empire, 1)):
        if who:
            state.empires[who].cities += more
            state.changes.roads.add(who)
    if old:
        state.changes.lost.append((number, old))
    set_owner(state, city.cell, empire)
    state.changes.rates.add(number)
    state.changes.jobs.add(number)


def _drop_jobs(state: State, number: int) -> None:
    for job in list(state.cities[number].jobs):
        drop_job(state, job)


def eliminate(state: State, empire: int) -> None:
    """All its territory is neutral, and so are the cities it may still have (when it gave up)."""
    state.empires[empire].out = state.now
    state.changes.scores.add(empire)
    for number in own_cities(state, empire):
        _drop_jobs(state, number)
        # A siege goes on, but no longer concerns this empire.
        if state.cities[number].siege and not state.rules.full_reports:
            over = {"type": "siege", "city": number, "by": NOBODY, "falls": 0}
            state.changes.events.append(Addressed(state.audience[empire], over))
        give_city(state, number, NOBODY)
        state.cities[number].bank = 0
    for job in [job for jobs in state.pending.values() for job in jobs if job.owner == empire]:
        drop_job(state, job)
    owner = state.owner
    for cell in range(state.topo.size):
        if owner[cell] == empire:
            set_owner(state, cell, NOBODY)
    for seat, one in enumerate(state.empire_of):
        if one == empire:
            state.commanders[seat].orders.clear()
    told = {"type": "eliminated", "empire": empire, "t": state.now}
    tell_all(state, told)
    if state.rules.broadcast:
        watch(state, empire)
