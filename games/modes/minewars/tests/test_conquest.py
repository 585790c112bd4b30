"""The decisive rules since version 3: cut-off cities, the land that falls with a city, and
the late phase."""

from __future__ import annotations

from games.modes.minewars.rules.tiles import MINE

from .arena import RULES, Arena
from .test_capture import besiege

LATE = RULES.late_seconds * 1000


def test_from_a_city_alone_others_land_is_not_captured() -> None:
    a = Arena()
    ring = a.around(a.city(0))
    a.own(2, *ring)
    assert a.refused(0, "capture", cell=ring[0]) == "not_adjacent"
    a.own(1, ring[1])
    beside = next(c for c in ring if c in a.around(ring[1]))
    a.capture(0, beside)
    assert a.owner(beside) == 1


def test_with_a_city_goes_the_losers_land_around_it() -> None:
    a = Arena(3)
    a.own(3, a.city(2), *a.around(a.city(2)))
    near, far, third = a.cell(4, -3), a.cell(4, -4), a.cell(2, 2)
    besiege(a, 0, 1)
    a.own(2, near, far)
    a.own(3, third)
    a.put(MINE, near)
    a.wait(8000)
    assert a.owner(a.city(1)) == 1
    assert a.owner(near) == 1, "3 tiles from the city"
    assert a.inner.item[near] == MINE, "with what lies on it"
    assert near in a.inner.shield
    assert a.owner(third) == 3, "a third empire keeps its own"
    assert a.owner(far) == 0, "the rest is neutral: the loser had no other city"


def test_in_the_late_phase_any_siege_takes_two_seconds() -> None:
    for number in (1, 2):
        a = Arena()
        a.wait_until(LATE)
        held = besiege(a, 0, number)
        a.wait_until(held + RULES.late_siege_ms - 1)
        assert a.owner(a.city(number)) != 1
        a.wait_until(held + RULES.late_siege_ms)
        assert a.owner(a.city(number)) == 1


def overrun_from(t: int, census: list[int] | None = None) -> int:
    """The number of tiles of another empire, all known to be empty, that a capture at this time
    takes."""
    a = Arena()
    theirs = [c for c in a.inner.topo.disc(a.cell(0, 0), 3) if not a.owner(c)]
    a.mines_everywhere_but(*theirs)
    for cell in range(a.inner.topo.size):
        if a.inner.item[cell]:
            a.inner.owner[cell] = 1 if a.inner.topo.coords[cell][0] < -2 else 2
    a.own(2, *theirs)
    first = a.cell(-2, 0)
    assert a.owner(first) == 2
    a.own(1, *a.around(first))
    a.wait_until(t)
    if census is not None:
        a.inner.census = census
    before = sum(a.owner(c) == 1 for c in theirs)
    a.capture(0, first)
    return sum(a.owner(c) == 1 for c in theirs) - before


def test_in_the_late_phase_a_capture_overruns_some_land_of_others() -> None:
    assert overrun_from(LATE - 1000) == 1
    assert overrun_from(LATE) == 1 + RULES.late_overrun


def test_at_first_half_as_much_land_of_a_smaller_empire_is_overrun() -> None:
    """Smaller is what the last census said: everybody knows that, so it tells nothing."""
    full, half = RULES.late_overrun, RULES.late_overrun // RULES.late_smaller
    assert overrun_from(LATE, census=[0, 100, 90]) == 1 + half
    assert overrun_from(LATE, census=[0, 100, 100]) == 1 + full
    then = LATE + RULES.late_smaller_seconds * 1000
    assert overrun_from(then - 1000, census=[0, 100, 90]) == 1 + half
    assert overrun_from(then, census=[0, 100, 90]) == 1 + full


def test_in_the_late_phase_strikes_cost_half() -> None:
    spent = []
    for t in (LATE - 2000, LATE):
        a = Arena()
        a.wait_until(t)
        before = a.money(0)
        a.act(0, "strike", cells=[a.cell(-1, 0), a.cell(-1, 1)])
        spent.append(before - a.money(0))
    assert spent == [300_000, 200_000], "3 units; 1.5, up to the next 100"


def test_everybody_is_told_at_the_start_when_the_late_phase_begins() -> None:
    a = Arena()
    for viewer in a.viewers:
        assert a.look(viewer)["game"]["late"] == LATE
