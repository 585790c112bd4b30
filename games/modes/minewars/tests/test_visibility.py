"""Visibility, sentence by sentence; and against a plain second reading of the whole table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.contract.playing import play
from games.contract.replay import Replay
from games.contract.subject import subject_of
from games.modes.minewars.rules.state import Job, State, Structure, is_land
from games.modes.minewars.rules.tiles import (
    BRIDGE,
    DECOY,
    DESTROYED,
    FOG,
    FULL,
    LAND,
    LIMITED,
    MINE,
    MOUNTAIN,
    ROAD,
    SKULL_BIT,
    SMOKE_BIT,
    TOWER,
    WATER,
)

from .arena import Arena
from .test_capture import stand


def test_own_tiles_are_full_tiles_within_three_limited_and_beyond_is_fog() -> None:
    a = Arena()
    assert a.level(0, a.cell(-3, 0)) == FULL
    assert [a.level(0, a.cell(q, 0)) for q in range(-2, 3)] == [LIMITED] * 3 + [FOG] * 2


def test_city_tiles_are_full_for_all() -> None:
    a = Arena()
    for viewer in (0, 1):
        for number, owner in ((0, 1), (1, 2), (2, 0)):
            seen = a.seen(viewer, a.city(number))
            assert (seen["level"], seen["owner"]) == (FULL, owner)


def test_in_fog_no_ownership_items_or_structures_are_seen() -> None:
    a = Arena()
    spot = a.cell(3, 3)
    a.own(2, spot)
    stand(a, ROAD, spot)
    a.put(MINE, spot)
    assert a.code(0, spot) == LAND, "nothing but the kind it had at the start"


def test_in_fog_the_last_known_kind_stays_and_never_updates_until_sight_returns() -> None:
    a = Arena()
    spot = a.cell(3, 3)
    a.own(2, spot)
    a.mines_everywhere_but()
    got = a.do(1, "harvest", cell=spot)
    assert a.inner.kind[spot] == DESTROYED
    assert got[0] == []
    assert a.seen(0, spot)["kind"] == LAND
    a.own(1, a.cell(2, 2))
    assert a.seen(0, spot)["kind"] == DESTROYED
    a.own(0, a.cell(2, 2))
    assert a.seen(0, spot) == {**a.seen(0, spot), "kind": DESTROYED, "level": FOG, "owner": 0}


@pytest.mark.parametrize("kind", [ROAD, TOWER])
def test_limited_shows_kind_owner_and_finished_structures_but_no_items(kind: int) -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    stand(a, kind, spot)
    if kind == ROAD:
        a.put(MINE, spot)
    seen = a.seen(0, spot)
    assert seen["level"] == LIMITED
    assert (seen["owner"], seen["structure"], seen["hp"]) == (2, kind, (0, 3, 8, 5, 4)[kind])
    assert seen["item"] == 0
    assert a.seen(1, spot)["item"] == (MINE if kind == ROAD else 0)


def test_limited_does_not_show_pending_structures_and_full_does() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    a.own(2, spot)
    job = Job(ROAD, (spot,), 2, 10**9, 100)
    a.inner.cities[1].jobs.append(job)
    a.ready()
    assert a.seen(0, spot)["pending"] == 0
    assert a.seen(1, spot)["pending"] == ROAD
    a.inner.empires[1].revealed.add(spot)
    a.ready()
    assert a.seen(0, spot)["pending"] == ROAD


def test_the_builder_of_a_bridge_sees_it_pending_on_water_that_nobody_owns() -> None:
    a = Arena()
    river = a.cell(-2, 0)
    a.shape(WATER, river)
    a.do(0, "build", structure="bridge", cells=[river])
    assert a.seen(0, river)["pending"] == BRIDGE
    assert a.seen(1, river)["pending"] == 0


def test_a_watch_tower_makes_everything_within_five_full() -> None:
    a = Arena()
    tower, near, far = a.cell(-4, 1), a.cell(0, 1), a.cell(2, 1)
    a.put(MINE, near, a.cell(1, 1), far)
    assert a.seen(0, near)["item"] == 0
    stand(a, TOWER, tower)
    assert [a.level(0, c) for c in (near, a.cell(1, 1), far)] == [FULL, FULL, FOG]
    assert a.seen(0, near)["item"] == MINE
    a.own(2, tower)
    assert a.level(0, near) != FULL
    assert a.level(1, near) == FULL, "a tower watches for its owner"


def test_one_tile_of_a_mountain_cluster_seen_means_the_cluster_is_seen() -> None:
    a = Arena()
    range_ = [a.cell(q, 0) for q in range(3)]
    a.shape(MOUNTAIN, *range_)
    assert a.level(0, range_[0]) == LIMITED
    assert a.level(0, range_[-1]) == LIMITED, "beyond three tiles, but of the same mountain"
    a.shape(LAND, range_[0])
    assert [a.level(0, c) for c in range_[1:]] == [FOG, FOG]


def test_smoke_is_seen_at_limited_and_not_in_fog() -> None:
    a = Arena()
    near, far = a.cell(-1, 0), a.cell(4, -1)
    a.own(2, near)
    a.inner.smoke = {near: 10**9, far: 10**9}
    a.ready()
    assert a.code(0, near) & SMOKE_BIT
    assert not a.code(0, far) & SMOKE_BIT


def test_a_mines_explosion_lifts_its_tile_to_limited_for_all_for_two_seconds() -> None:
    a = Arena()
    spot = a.cell(3, 2)
    a.mines_everywhere_but()
    a.own(2, a.cell(3, 1))
    assert a.level(0, spot) == FOG
    got = a.capture(1, spot)
    for viewer in a.viewers:
        assert {"type": "exploded", "cells": [spot], "cause": "mine", "by": 2} in got[viewer]
        assert a.seen(viewer, spot)["level"] >= LIMITED
        assert a.seen(viewer, spot)["kind"] == DESTROYED
    a.wait(1999)
    assert a.level(0, spot) == LIMITED
    a.wait(1)
    assert a.level(0, spot) == FOG
    assert a.code(0, spot) == DESTROYED | SKULL_BIT, "a skull stays, also in fog"


def test_a_strike_in_fog_is_a_tremor_without_a_place() -> None:
    a = Arena()
    spot = a.cell(3, 3)
    a.mines_everywhere_but()
    a.own(2, a.cell(3, 2))
    got = a.do(1, "strike", cells=[spot])
    assert got[0] == [{"type": "tremor"}]
    assert {"type": "exploded", "cells": [spot], "cause": "strike", "by": 2} in got[1]
    assert {"type": "exploded", "cells": [spot], "cause": "strike", "by": 0} in got[None]
    assert a.level(0, spot) == FOG
    assert a.seen(0, spot)["kind"] == LAND


def test_of_a_strike_on_several_tiles_only_those_in_sight_are_shown_and_not_who_struck() -> None:
    a = Arena()
    near, far = a.cell(-1, 0), a.cell(2, 0)
    a.mines_everywhere_but()
    a.own(2, a.cell(1, 0))
    got = a.do(1, "strike", cells=[near, far])
    told = {"type": "exploded", "cells": [near], "cause": "strike", "by": 0}
    assert [e for e in got[0] if e["type"] in ("exploded", "tremor")] == [told]


def revealed(a: Arena, spot: int) -> None:
    a.own(2, spot)
    a.put(MINE, spot)
    a.do(0, "reveal", cell=spot)
    assert (a.level(0, spot), a.seen(0, spot)["item"]) == (FULL, MINE)


def test_reveal_makes_a_limited_tile_full_until_an_explosion() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    revealed(a, spot)
    a.wait(60_000)
    assert a.level(0, spot) == FULL
    a.do(0, "strike", cells=[spot])
    assert a.level(0, spot) == LIMITED


def test_reveal_makes_a_limited_tile_full_until_it_has_a_new_owner() -> None:
    a = Arena(3)
    spot, beside = a.cell(-1, 0), a.cell(-1, 1)
    revealed(a, spot)
    a.put(0, spot)
    a.put(MINE, *a.around(beside))
    a.put(0, spot)
    a.own(3, beside, a.cell(6, -6))
    a.inner.owner[a.city(2)] = 3
    a.ready()
    assert a.level(0, spot) == FULL
    a.capture(2, spot)
    assert a.owner(spot) == 3
    assert a.level(0, spot) == LIMITED


def test_reveal_makes_a_limited_tile_full_until_fog() -> None:
    a = Arena()
    spot = a.cell(-1, 0)
    revealed(a, spot)
    mine = [c for c in range(a.inner.topo.size) if a.owner(c) == 1 and c != a.city(0)]
    a.own(0, *mine)
    a.shape(LAND)
    assert a.level(0, spot) == FULL, "still in sight of the city"
    a.own(0, a.city(0))
    assert a.level(0, spot) == FOG
    a.own(1, a.city(0))
    assert a.level(0, spot) == LIMITED


def test_reveal_also_lifts_a_tile_that_is_limited_only_for_the_moment() -> None:
    a = Arena()
    spot = a.cell(3, 2)
    a.mines_everywhere_but()
    a.own(2, a.cell(3, 1))
    a.capture(1, spot)
    a.do(0, "reveal", cell=spot)
    assert a.level(0, spot) == FULL
    a.wait(2000)
    assert a.level(0, spot) == FOG
    a.own(1, a.cell(2, 2))
    assert a.level(0, spot) == LIMITED, "fog ended it"


def test_flags_are_private() -> None:
    a = Arena()
    got = a.do(0, "flag", cell=a.cell(3, 3), on=True)
    assert got[1] == []
    assert got[None] == []
    assert [e["type"] for e in got[0]] == ["tiles"]


# -- the second reading --------------------------------------------------------------------------


def expected_levels(state: State, viewer: int) -> list[int]:
    """The table of the rules, read anew without anything kept."""
    topo, rules = state.topo, state.rules
    own = [c for c in range(topo.size) if viewer and state.owner[c] == viewer]
    towers = [c for c in own if c in state.structures and state.structures[c].kind == TOWER]

    def within(radius: int, cells: list[int]) -> set[int]:
        distance = topo.distance
        return {c for c in range(topo.size) if any(distance(c, at) <= radius for at in cells)}

    watched = within(rules.tower_radius, towers)
    full = watched.union(own, (city.cell for city in state.cities))
    limited = watched.union(within(rules.sight_radius, own), state.lifted)
    seen = [c for c in limited - set(state.lifted) if state.kind[c] == MOUNTAIN]
    for at in seen:
        seen += [n for n in topo.sides[at] if state.kind[n] == MOUNTAIN and n not in seen]
    limited.update(seen)
    full |= limited & state.empires[viewer].revealed
    return [FULL if c in full else LIMITED if c in limited else FOG for c in range(topo.size)]


def expected_digit(state: State, viewer: int, cell: int) -> str | None:
    if not viewer or state.owner[cell] != viewer or not is_land(state, cell) or cell in state.smoke:
        return None
    items = [state.item[n] for n in state.topo.neighbours[cell] if state.owner[n] != viewer]
    return f"{sum(i > 0 for i in items)}{'*' if DECOY in items else ''}"


@pytest.mark.parametrize("number", range(12))
def test_a_viewer_gets_exactly_what_its_level_allows(number: int) -> None:
    """At steps of random matches, every tile of every viewer's view against the table."""
    memories: dict[int, list[int]] = {}

    def compare(table: Replay, random: Random) -> None:
        state: State = table.state.game
        for viewer, seats in enumerate(state.audience):
            if not seats:
                continue
            view: Any = table.game.view(table.state, next(iter(seats)))["game"]
            if not viewer:
                if state.disclosed or not state.options.watch_delay_seconds:
                    check_broadcast(state, view["tiles"])
                continue
            memory = memories.setdefault(viewer, [])
            if not memory:
                memory += [code & 7 for code in view["tiles"]]
            check_view(state, viewer, view["tiles"], memory)

    play(subject_of("minewars"), f"sight {number}", 30, compare)


def check_broadcast(state: State, tiles: list[int]) -> None:
    for cell, code in enumerate(tiles):
        built = state.structures.get(cell)
        expected = state.kind[cell] | 1 << 3 | state.owner[cell] << 5 | state.skull[cell] << 27
        assert code == expected | (built.kind << 10 | built.hp << 13 if built else 0)


def check_view(state: State, viewer: int, tiles: list[int], memory: list[int]) -> None:
    blind = state.empires[viewer].blind > state.now
    levels = expected_levels(state, viewer)
    for cell, (code, level) in enumerate(zip(tiles, levels, strict=True)):
        assert code >> 3 & 3 == level
        flagged = cell in state.empires[viewer].flags
        assert (code >> 28 & 1, code >> 27 & 1) == (flagged, state.skull[cell])
        if level == FOG:
            assert code & ~(1 << 27 | 1 << 28) == memory[cell], "only the kind last seen"
            continue
        memory[cell] = state.kind[cell]
        assert code & 7 == state.kind[cell]
        assert code >> 5 & 7 == state.owner[cell]
        built: Structure | None = state.structures.get(cell)
        expected = (built.kind, built.hp) if built else (0, 0)
        assert (code >> 10 & 7, code >> 13 & 15) == expected
        assert (code >> 25 & 1, code >> 26 & 1) == (cell in state.smoke, cell in state.shield)
        assert code >> 8 & 3 == (state.item[cell] if level == FULL else 0)
        jobs = [j for c in state.cities for j in c.jobs if cell in j.cells]
        shown = [j.kind for j in jobs if level == FULL or j.owner == viewer]
        assert code >> 17 & 7 == (shown[0] if shown else 0)
        if not blind:
            digit = code >> 20 & 15
            text = f"{digit - 1}{'*' if code >> 24 & 1 else ''}" if digit else None
            assert text == expected_digit(state, viewer, cell)
