"""Area Attack: claims, floods, flags and chords, sentence by sentence of the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.errors import BadAction, BadOptions
from games.engine.game import Event
from games.engine.registry import MODES
from games.modes.area_attack.rules.seeing import EXPOSED_MINE, FLAGGED, HIDDEN, OWNED_BY
from games.modes.area_attack.tests.battlefield import POCKET, SIZE, at, battlefield, block
from tests.engine.table import Table

CORNERS = {0: [at(0, 0)], 1: [at(15, 15)]}


def kinds(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def cells(table: Table, viewer: int | None) -> list[int]:
    seen: list[int] = table.look(viewer)["game"]["cells"]
    return seen


def test_a_safe_cell_becomes_the_players_who_sees_its_number_and_others_only_the_owner() -> None:
    table = battlefield([at(5, 5)], CORNERS)
    got = table.act(0, "claim", cell=at(6, 6))
    assert got[0] == [{"type": "claimed", "seat": 0, "cells": [at(6, 6)], "numbers": [1]}]
    assert got[1] == got[None] == [{"type": "claimed", "seat": 0, "cells": [at(6, 6)]}]
    assert cells(table, 0)[at(6, 6)] == 1
    assert cells(table, 1)[at(6, 6)] == cells(table, None)[at(6, 6)] == OWNED_BY
    assert table.look(None)["game"]["areas"] == [2, 1]


def test_a_zero_floods_8_way_through_zeros_and_their_rim() -> None:
    wall = [at(4, y) for y in range(5)] + [at(x, 4) for x in range(4)]
    table = battlefield([*wall, at(12, 12)], {1: [at(15, 15)]})
    got = table.act(0, "claim", cell=at(0, 0))
    (event,) = got[0]
    assert sorted(event["cells"]) == sorted(block(0, 0, 3, 3))
    numbers = dict(zip(event["cells"], event["numbers"], strict=True))
    assert numbers[at(0, 0)] == numbers[at(2, 2)] == 0
    assert numbers[at(3, 3)] == 5
    assert table.look(0)["game"]["areas"] == [16, 1]


def test_a_flood_never_takes_a_cell_that_another_player_owns() -> None:
    column = block(8, 0, 8, 15)
    table = battlefield([at(15, 0)], {1: column})
    table.act(0, "claim", cell=at(0, 0))
    assert table.look(0)["game"]["areas"] == [8 * 16, 16]
    assert all(cells(table, 0)[cell] == OWNED_BY + 1 for cell in column)
    assert cells(table, 0)[at(9, 5)] == HIDDEN  # nor does it go through


def test_a_flood_does_not_take_exposed_mines() -> None:
    table = battlefield([at(5, 5), at(15, 0)], {1: [at(15, 15)]}, exposed=[at(5, 5)])
    table.act(0, "claim", cell=at(0, 0))
    assert cells(table, 0)[at(5, 5)] == EXPOSED_MINE


@settings(deadline=None, max_examples=40)
@given(
    st.sets(st.integers(0, 255), max_size=60),
    st.sets(st.integers(0, 255), max_size=60),
    st.integers(0, 255),
)
def test_a_flood_is_what_a_plain_search_finds(
    mines: set[int], others: set[int], first: int
) -> None:
    mines -= {first}
    others -= mines | {first}
    table = battlefield(mines, {1: others})
    neighbours, numbers = table.inner.grid.neighbours, table.inner.numbers
    expected, waiting = {first}, [first]
    while waiting:
        cell = waiting.pop()
        if not numbers[cell]:
            new = set(neighbours[cell]) - expected - others
            expected |= new
            waiting += new
    got = table.act(0, "claim", cell=first)
    assert set(got[0][0]["cells"]) == expected
    assert len(got[0][0]["cells"]) == len(expected)


def test_a_cell_of_another_an_exposed_mine_or_out_of_range_changes_nothing() -> None:
    table = battlefield([at(5, 5)], CORNERS, exposed=[at(5, 5)])
    assert table.refused(0, "claim", cell=at(15, 15)) == "taken"
    assert table.events[0][-1]["text"] == "Player 2 owns that cell."
    assert table.refused(0, "claim", cell=at(5, 5)) == "exposed_mine"
    assert table.refused(0, "claim", cell=at(0, 0)) == "own_cell"
    for cell in (-1, SIZE * SIZE, 10**15, -(10**15)):
        for kind, fields in [("claim", {}), ("chord", {}), ("flag", {"on": True})]:
            assert table.refused(0, kind, cell=cell, **fields) == "out_of_range"
    assert table.refused(0, "pick", cell=0) == "already_started"
    assert table.refused(0, "confirm") == "already_started"


def test_two_claims_on_one_cell_the_earlier_in_the_log_wins() -> None:
    table = battlefield([at(5, 5)], CORNERS)
    table.act(1, "claim", cell=at(6, 6))
    assert table.refused(0, "claim", cell=at(6, 6)) == "taken"
    assert "Player 2" in table.events[0][-1]["text"]


# -- flags ---------------------------------------------------------------------------------------


def test_flags_are_private_to_a_seat_and_kept_by_the_server() -> None:
    table = battlefield([at(5, 5)], CORNERS)
    got = table.act(0, "flag", cell=at(5, 5), on=True)
    assert got[0] == [{"type": "flagged", "cell": at(5, 5), "on": True}]
    assert got[1] == got[None] == []
    table.reload()
    assert cells(table, 0)[at(5, 5)] == FLAGGED
    assert cells(table, 1)[at(5, 5)] == cells(table, None)[at(5, 5)] == HIDDEN
    table.act(0, "flag", cell=at(5, 5), on=False)
    assert cells(table, 0)[at(5, 5)] == HIDDEN


def test_only_a_hidden_cell_can_have_a_flag() -> None:
    table = battlefield([at(5, 5)], CORNERS, exposed=[at(5, 5)])
    for cell in (at(0, 0), at(15, 15), at(5, 5)):
        assert table.refused(0, "flag", cell=cell, on=True) == "not_hidden"


def test_a_flag_has_no_effect_on_a_claim_and_goes_when_anyone_claims_its_cell() -> None:
    table = battlefield([at(5, 5)], CORNERS)
    table.act(0, "flag", cell=at(6, 6), on=True)
    table.act(0, "claim", cell=at(6, 6))
    assert cells(table, 0)[at(6, 6)] == 1
    table.act(0, "flag", cell=at(4, 4), on=True)
    table.act(1, "claim", cell=at(4, 4))
    assert cells(table, 0)[at(4, 4)] == OWNED_BY + 1


# -- chord ---------------------------------------------------------------------------------------


def test_chord_claims_the_other_hidden_neighbours_in_one_action() -> None:
    mines = [at(4, 4), at(8, 8), *POCKET]
    table = battlefield(mines, {0: [at(5, 5)], 1: [at(6, 4)]})
    assert table.refused(0, "chord", cell=at(5, 5)) == "number_not_met"
    table.act(0, "flag", cell=at(4, 4), on=True)
    got = table.act(0, "chord", cell=at(5, 5))
    assert kinds(got[0]) == kinds(got[1]) == kinds(got[None]) == ["claimed"]
    taken = set(got[0][0]["cells"])
    assert set(table.inner.grid.neighbours[at(5, 5)]) - {at(4, 4), at(6, 4)} <= taken
    assert not taken & {at(4, 4), at(6, 4), at(8, 8)}
    assert "numbers" not in got[1][0]


def test_chord_counts_exposed_mines_as_well_as_flags() -> None:
    mines = [at(4, 4), at(6, 6)]
    table = battlefield(mines, {0: [at(5, 5)], 1: [at(15, 15)]}, exposed=[at(4, 4)])
    assert table.refused(0, "chord", cell=at(5, 5)) == "number_not_met"
    table.act(0, "flag", cell=at(6, 6), on=True)
    got = table.act(0, "chord", cell=at(5, 5))
    assert not set(got[0][0]["cells"]) & set(mines)


def test_chord_is_on_an_own_cell_with_something_left_to_claim() -> None:
    own = [cell for cell in block(3, 3, 6, 6) if cell != at(4, 4)]
    table = battlefield([at(4, 4)], {0: own, 1: [at(15, 15)]})
    assert table.refused(0, "chord", cell=at(15, 15)) == "not_yours"
    assert table.refused(0, "chord", cell=at(10, 10)) == "not_yours"
    table.act(0, "flag", cell=at(4, 4), on=True)
    assert table.refused(0, "chord", cell=at(5, 5)) == "nothing_hidden"


def test_a_zero_with_hidden_neighbours_can_be_chorded() -> None:
    table = battlefield([at(15, 0)], {0: block(0, 0, 2, 2), 1: [at(15, 15)]})
    table.act(0, "chord", cell=at(2, 2))
    assert cells(table, 0)[at(3, 3)] == 0


def test_a_mine_ends_the_chord_what_came_before_stays_claimed_and_the_rest_is_not() -> None:
    """Neighbours row by row: (4,4) (5,4) (6,4) (4,5) (6,5) (4,6) (5,6) (6,6)."""
    ring = [at(x, y) for x, y in [(3, 3), (7, 3), (3, 7), (7, 7)]]  # so that nothing floods
    table = battlefield([at(4, 5), *ring], {0: [at(5, 5)], 1: [at(15, 15)]})
    table.act(0, "flag", cell=at(6, 6), on=True)  # wrong
    got = table.act(0, "chord", cell=at(5, 5))
    assert kinds(got[0]) == kinds(got[1]) == ["claimed", "struck"]
    claimed, struck = got[0]
    assert claimed["cells"] == [at(4, 4), at(5, 4), at(6, 4)]
    assert struck["cell"] == at(4, 5)
    for cell in (at(6, 5), at(4, 6), at(5, 6), at(6, 6)):
        assert cells(table, None)[cell] == HIDDEN


# -- input ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        {"type": "claim"},
        {"type": "claim", "cell": "1"},
        {"type": "claim", "cell": True},
        {"type": "claim", "cell": 1, "on": True},
        {"type": "flag", "cell": 1},
        {"type": "flag", "cell": 1, "on": 1},
        {"type": "confirm", "cell": 1},
        {"type": "ready"},
        {"type": ["claim"]},
    ],
)
def test_actions_of_another_form_are_refused(raw: object) -> None:
    with pytest.raises(BadAction):
        MODES["area-attack"].parse_action(raw)


@pytest.mark.parametrize(
    "raw",
    [
        [],
        {"size": 15},
        {"size": 101},
        {"size": 40.0},
        {"density": 0.04},
        {"density": 0.36},
        {"density": float("nan")},
        {"min_start_distance": 14},
        {"attack_at_seconds": 361},
        {"attack_at_claimed": 0.9},
        {"lock_at_seconds": 361},
        {"lock_seconds": 61},
        {"freeze_seconds": 0},
        {"unknown": 1},
    ],
)
def test_options_of_another_form_are_refused(raw: object) -> None:
    with pytest.raises(BadOptions):
        MODES["area-attack"].parse_options(raw)


def test_every_number_is_a_field_of_the_config_with_the_default_of_the_rules() -> None:
    table = Table("area-attack", 2)
    assert table.look(None)["options"] == {
        "size": 40,
        "density": 0.2,
        "pick_seconds": 30,
        "min_start_distance": 10,
        "freeze_seconds": 10,
        "attack_radius": 3,
        "attack_at_seconds": 180,
        "attack_at_claimed": 0.5,
        "lock_at_seconds": 360,
        "lock_at_claimed": 0.8,
        "lock_seconds": 60,
    }
    short = Table("area-attack", 4, size=100, attack_at_seconds=2, lock_at_seconds=3)
    assert short.look(None)["options"]["min_start_distance"] == 25
