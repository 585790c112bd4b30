"""Digits, mines, decoys, flashbangs."""

from __future__ import annotations

from games.modes.minewars.rules.tiles import (
    DECOY,
    FLASHBANG,
    LAND,
    MINE,
    SKULL_BIT,
)

from .arena import Arena


def test_the_digit_counts_items_on_adjacent_tiles_one_does_not_own() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    outside = [n for n in a.around(spot) if a.owner(n) == 0]
    inside = [n for n in a.around(spot) if a.owner(n) == 1 and n != a.city(0)]
    for count, cell in enumerate(outside, 1):
        a.put(MINE, cell)
        assert a.digit(0, spot) == str(count)
    a.put(MINE, *inside)
    assert a.digit(0, spot) == str(len(outside)), "own items do not count"
    a.own(2, outside[0])
    assert a.digit(0, spot) == str(len(outside)), "another's and neutral items do"


def test_a_flashbang_looks_like_a_mine() -> None:
    a = Arena()
    a.put(FLASHBANG, a.cell(-2, 0))
    assert a.digit(0, a.cell(-3, 0)) == "1"


def test_the_digit_has_a_star_if_a_decoy_is_among_them() -> None:
    a = Arena()
    spot = a.cell(-3, 0)
    first, second = [n for n in a.around(spot) if a.owner(n) == 0][:2]
    a.put(MINE, first)
    assert a.digit(0, spot) == "1"
    a.put(DECOY, second)
    assert a.digit(0, spot) == "2*"
    a.put(0, first)
    assert a.digit(0, spot) == "1*"


def test_only_own_land_has_a_digit() -> None:
    a = Arena()
    assert a.digit(0, a.city(0)) is None
    assert a.digit(0, a.cell(-2, 0)) is None
    assert a.digit(1, a.cell(-3, 0)) is None
    assert a.digit(0, a.cell(-3, 0)) == "0"


def stunned() -> tuple[Arena, int]:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but(a.cell(-3, 1))
    a.own(2, spot)
    a.capture(0, spot)
    return a, spot


def test_a_mine_stuns_for_five_seconds_no_actions() -> None:
    a, _ = stunned()
    for kind, given in (
        ("capture", {"cell": a.cell(-3, 1)}),
        ("strike", {"cells": [a.cell(-1, 0)]}),
        ("deploy", {"item": "mine", "cell": a.cell(-3, 0)}),
        ("build", {"structure": "road", "cells": [a.cell(-3, 0)]}),
    ):
        assert a.refused(0, kind, **given) == "stunned"
    a.do(0, "flag", cell=1, on=True)
    assert 1 in a.inner.empires[1].flags, "flags may be set"
    a.wait(4999)
    assert a.refused(0, "capture", cell=a.cell(-3, 1)) == "stunned"
    a.wait(1)
    a.capture(0, a.cell(-3, 1))
    assert a.owner(a.cell(-3, 1)) == 1


def test_a_stun_pauses_the_cities() -> None:
    a, _ = stunned()
    before, rate = a.money(0), RATE
    a.wait(5000)
    assert a.money(0) == before
    a.wait(1000)
    assert a.money(0) == before + 1000 * rate


RATE = 56
"""A city with six tiles of land around it."""


def test_a_stun_pauses_the_building() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.mines_everywhere_but()
    a.act(0, "build", structure="road", cells=[a.cell(-4, 1)])
    a.capture(0, spot)
    job = a.inner.cities[0].jobs[0]
    built = job.built
    a.wait(5000)
    assert a.inner.cities[0].jobs[0].built == built
    a.wait(60_000)
    assert a.inner.cities[0].jobs == []


def test_a_stun_puts_off_what_was_ordered() -> None:
    a = Arena()
    mine, spot = a.cell(-2, 0), a.cell(-3, 1)
    a.mines_everywhere_but(spot)
    a.act(0, "capture", cell=mine)
    a.wait(130)
    a.act(0, "capture", cell=spot)
    a.wait(120 + 130 + 4999)
    assert a.owner(spot) == 0
    a.wait(1)
    assert a.owner(spot) == 1


def test_it_is_the_owners_kill_and_the_victims_death_and_all_are_told_and_a_skull_stays() -> None:
    a = Arena()
    spot = a.cell(-2, 0)
    a.put(MINE, spot)
    a.own(2, spot)
    got = a.capture(0, spot)
    assert (a.score(2)["kills"], a.score(1)["deaths"]) == (1, 1)
    assert (a.score(1)["kills"], a.score(2)["deaths"]) == (0, 0)
    for viewer in a.viewers:
        told = [e for e in got[viewer] if e["type"] == "killed"]
        assert [(e["victim"], e["by"], e["cell"]) for e in told] == [(1, 2, spot)]
        assert a.code(viewer, spot) & SKULL_BIT
    a.wait(100_000)
    assert all(a.code(viewer, spot) & SKULL_BIT for viewer in a.viewers)


def test_a_neutral_mine_is_nobodys_kill() -> None:
    a = Arena()
    a.put(MINE, a.cell(-2, 0))
    a.capture(0, a.cell(-2, 0))
    assert a.score(1)["deaths"] == 1
    assert a.score(2)["kills"] == 0


def blinded() -> Arena:
    """Empire 1 steps on a flashbang; a tile of empire 2 lies beside its land."""
    a = Arena()
    trap, enemy = a.cell(-2, 0), a.cell(-3, -1)
    a.mines_everywhere_but()
    a.put(FLASHBANG, trap)
    a.own(2, a.cell(-2, -1))
    a.put(0, a.cell(-2, -1))
    assert enemy in a.around(a.cell(-2, -1))
    a.capture(0, trap)
    return a


def bordering(a: Arena) -> list[int]:
    return [
        c
        for c in range(a.inner.topo.size)
        if a.owner(c) == 1 and a.inner.kind[c] == LAND and any(a.owner(n) == 2 for n in a.around(c))
    ]


def true_digit(a: Arena, cell: int) -> str:
    return str(sum(a.inner.item[n] > 0 and a.owner(n) != 1 for n in a.around(cell)))


def test_blinded_digits_next_to_others_tiles_are_never_the_true_digit_for_five_seconds() -> None:
    a = blinded()
    border = bordering(a)
    assert border
    for ms in (0, 2500, 2499):
        a.wait(ms)
        for cell in border:
            shown = a.digit(0, cell)
            assert shown is not None
            assert shown.rstrip("*") != true_digit(a, cell)
    a.wait(1)
    for cell in border:
        assert (a.digit(0, cell) or "").rstrip("*") == true_digit(a, cell)


def test_blinded_digits_elsewhere_stay_true() -> None:
    a = blinded()
    border = bordering(a)
    inner = [c for c in a.around(a.city(0)) if c not in border]
    assert inner
    for cell in inner:
        assert a.digit(0, cell) == true_digit(a, cell)


def test_nonsense_digits_come_from_the_match_seed() -> None:
    shown = [[a.digit(0, c) for c in bordering(a)] for a in (blinded(), blinded())]
    assert shown[0] == shown[1]


def test_while_blinded_land_known_only_by_nonsense_does_not_expand() -> None:
    a = Arena()
    trap = a.cell(-2, 0)
    a.put(FLASHBANG, trap)
    a.own(2, *(n for n in a.around(trap) if not a.owner(n)))
    a.capture(0, trap)
    assert a.owner(trap) == 1
    assert all(a.owner(n) != 0 for n in a.around(trap))
    assert any(a.owner(n) == 2 for n in a.around(trap)), "its 0 is not known while blinded"
