"""Battleship, sentence by sentence of its rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.errors import BadAction, BadOptions, IllegalAction
from games.engine.game import Input, Kind
from games.engine.registry import MODES
from games.modes.battleship.rules.fleet import LENGTHS, Ship, check_fleet
from tests.engine.table import Table

# Rows 0, 2, 4, 6, 8 from the left: cells 0-4, 20-23, 40-42, 60-62, 80-81.
FLEET = [
    {"cell": row * 20, "length": length, "vertical": False} for row, length in enumerate(LENGTHS)
]
SHIP_CELLS = [ship["cell"] + i for ship in FLEET for i in range(ship["length"])]
WATER = [cell for cell in range(100) if cell not in SHIP_CELLS]


def placed(**options: Any) -> Table:
    table = Table("battleship", 2, **options)
    table.act(0, "place", ships=FLEET)
    table.act(1, "place", ships=FLEET)
    return table


def test_ready_at_once_when_placed_and_live_when_both_are() -> None:
    table = Table("battleship", 2)
    got = table.act(0, "place", ships=FLEET)
    assert [e["type"] for e in got[0]] == ["placed", "ready"]
    assert [e["type"] for e in got[1]] == [e["type"] for e in got[None]] == ["ready"]
    assert table.look(0)["game"]["fleet"] == FLEET
    assert table.look(1)["game"]["fleet"] is None
    got = table.act(1, "place", ships=FLEET)
    assert [e["type"] for e in got[0]] == ["ready", "started", "turn"]
    assert table.look(None)["phase"] == "live"


def test_a_fleet_is_placed_once() -> None:
    table = Table("battleship", 2)
    table.act(0, "place", ships=FLEET)
    assert table.refused(0, "place", ships=FLEET) == "already_ready"
    table.act(1, "place", ships=FLEET)
    assert table.refused(0, "place", ships=FLEET) == "already_started"


def test_no_bomb_before_the_start() -> None:
    assert Table("battleship", 2).refused(0, "bomb", cell=0) == "not_started"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"length": 4}, "bad_fleet"),
        ({"length": 1}, "bad_fleet"),
        ({"cell": 6}, "ship_outside"),
        ({"cell": 60, "vertical": True}, "ship_outside"),
        ({"cell": 100}, "ship_outside"),
        ({"cell": -1}, "ship_outside"),
        ({"cell": -(10**15)}, "ship_outside"),
        ({"cell": 20}, "ships_overlap"),
        ({"cell": 0, "vertical": True}, "ships_overlap"),
        ({"cell": 23, "vertical": True}, "ships_overlap"),  # one cell shared
    ],
)
def test_ships_are_the_fleet_of_5_4_3_3_2_inside_and_not_overlapping(
    change: dict[str, Any], code: str
) -> None:
    table = Table("battleship", 2)
    assert table.refused(0, "place", ships=[{**FLEET[0], **change}, *FLEET[1:]]) == code


def test_a_fleet_has_every_ship() -> None:
    assert Table("battleship", 2).refused(0, "place", ships=FLEET[:4]) == "bad_fleet"


def test_touching_is_allowed() -> None:
    ships = [{"cell": i * 10, "length": n, "vertical": False} for i, n in enumerate(LENGTHS)]
    Table("battleship", 2).act(0, "place", ships=ships)
    check_fleet([Ship(**ship) for ship in ships])


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 105), st.sampled_from([2, 3, 4, 5]), st.booleans())))
def test_a_fleet_that_passes_lies_on_17_cells_of_the_board(
    ships: list[tuple[int, int, bool]],
) -> None:
    fleet = [Ship(*ship) for ship in ships]
    try:
        check_fleet(fleet)
    except IllegalAction:
        return
    cells = {cell for ship in fleet for cell in ship.cells}
    assert len(cells) == 17
    assert cells <= set(range(100))
    for ship in fleet:
        ys, xs = zip(*(divmod(cell, 10) for cell in ship.cells), strict=True)
        assert len(set(xs if ship.vertical else ys)) == 1


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_fleets_drawn_apart_always_pass(data: st.DataObject) -> None:
    taken: set[int] = set()
    fleet: list[Ship] = []
    for length in data.draw(st.permutations(LENGTHS)):
        fits = [
            ship
            for cell in range(100)
            for vertical in (False, True)
            if (ship := Ship(cell, length, vertical)).inside and not taken & set(ship.cells)
        ]
        fleet.append(data.draw(st.sampled_from(fits)))
        taken |= set(fleet[-1].cells)
    check_fleet(fleet)


def test_a_set_up_not_finished_in_time_aborts_and_names_who_was_not_ready() -> None:
    table = Table("battleship", 2, setup_seconds=90)
    table.act(0, "place", ships=FLEET)
    table.wait_until(89_999)
    assert table.look(None)["phase"] == "setup"
    table.wait_until(90_000)
    outcome = table.look(None)["outcome"]
    assert (outcome["aborted"], outcome["reason"], outcome["absent"]) == (True, "not_ready", [1])


@pytest.mark.parametrize("first", [0, 1])
def test_first_names_the_seat_that_attacks_first(first: int) -> None:
    table = placed(first=first)
    assert table.look(None)["game"]["turn"] == first
    assert table.refused(1 - first, "bomb", cell=0) == "not_your_turn"


def test_hit_or_miss_goes_to_both_and_roles_swap_after_every_bomb() -> None:
    table = placed()
    for seat, cell, hit in [(0, 0, True), (1, 5, False), (0, 5, False), (1, 0, True)]:
        table.t += 1000
        got = table.act(seat, "bomb", cell=cell)
        assert got[0] == got[1] == got[None]
        (event,) = got[0]
        assert (event["seat"], event["cell"], event["hit"]) == (seat, cell, hit)
        assert (event["turn"], event["turn_ends"]) == (1 - seat, table.t + 30_000)
        assert table.refused(seat, "bomb", cell=99) == "not_your_turn"


def test_a_cell_already_bombed_is_refused_and_the_turn_stays() -> None:
    table = placed()
    table.act(0, "bomb", cell=0)
    table.act(1, "bomb", cell=0)
    assert table.refused(0, "bomb", cell=0) == "already_bombed"
    assert table.look(None)["game"]["turn"] == 0
    assert table.look(None)["game"]["turn_ends"] == 30_000
    for cell in (-1, 100):
        assert table.refused(0, "bomb", cell=cell) == "out_of_range"


def test_when_a_ship_sinks_all_are_told_which() -> None:
    table = placed()
    table.act(0, "bomb", cell=81)
    table.act(1, "bomb", cell=99)
    (event,) = table.act(0, "bomb", cell=80)[1]
    assert event["sunk"] == FLEET[4]
    assert table.look(None)["game"]["seas"][1]["sunk"] == [FLEET[4]]
    assert table.look(None)["game"]["seas"][0]["sunk"] == []


def test_sunk_ships_are_listed_as_they_sank_not_as_they_were_placed() -> None:
    table = placed()
    for cell, other in zip([80, 81, 60, 61, 62, 40, 41, 42], WATER, strict=False):
        table.act(0, "bomb", cell=cell)
        table.act(1, "bomb", cell=other)
    assert table.look(0)["game"]["seas"][1]["sunk"] == [FLEET[4], FLEET[3], FLEET[2]]


def test_all_ships_sunk_the_attacker_wins_and_both_boards_are_shown() -> None:
    table = placed()
    for cell, other in zip(SHIP_CELLS[:-1], WATER, strict=False):
        table.act(0, "bomb", cell=cell)
        table.act(1, "bomb", cell=other)
    assert table.look(1)["truth"] is None
    got = table.act(0, "bomb", cell=SHIP_CELLS[-1])
    assert [e["type"] for e in got[1]] == ["bombed", "over"]
    assert (got[1][0]["turn"], got[1][0]["turn_ends"]) == (None, None)
    view = table.look(1)
    assert view["outcome"]["ranks"] == [1, 2]
    assert view["outcome"]["reason"] == "fleet_sunk"
    assert view["outcome"]["scores"] == [17, 0]
    assert view["truth"] == {"fleets": [FLEET, FLEET]}
    assert table.game.due(table.state) is None


def test_a_surrender_gives_the_other_the_win_and_ends_the_turn() -> None:
    table = placed()
    table.act(0, "surrender")
    assert table.look(0)["outcome"]["ranks"] == [2, 1]
    assert table.look(None)["game"]["turn"] is None


def test_turn_clock_run_out_a_random_untried_cell_is_bombed_for_the_player() -> None:
    table = placed(turn_seconds=30)
    table.t = 5_000
    table.act(0, "bomb", cell=0)
    assert table.wait_until(34_999)[0] == []
    (event,) = table.wait_until(35_000)[0]
    assert (event["type"], event["seat"], event["auto"], event["lapses"]) == ("bombed", 1, True, 1)
    assert (event["turn"], event["turn_ends"]) == (0, 65_000)


def test_a_late_tick_fires_every_turn_at_its_own_time() -> None:
    late, punctual = placed(), placed()
    late.wait_until(100_000)
    for t in (30_000, 60_000, 90_000, 100_000):
        punctual.wait_until(t)
    assert late.events == punctual.events
    assert [e["turn_ends"] for e in late.events[0][-3:]] == [60_000, 90_000, 120_000]


def test_three_turns_in_a_row_run_out_lose_the_match() -> None:
    table = placed()
    table.wait_until(149_999)
    assert table.look(0)["game"]["lapses"] == [2, 2]
    got = table.wait_until(150_000)
    assert [e["type"] for e in got[1]] == ["lapsed", "over"]
    outcome = table.look(1)["outcome"]
    assert (outcome["ranks"], outcome["reason"]) == ([2, 1], "lapses")
    assert sum(map(bool, table.look(1)["game"]["seas"][1]["tried"])) == 2  # no bomb the third time


def test_a_bomb_of_ones_own_starts_the_count_of_lapses_anew() -> None:
    table = placed()
    table.wait_until(60_000)
    assert table.look(0)["game"]["lapses"] == [1, 1]
    table.act(0, "bomb", cell=WATER[-1])
    assert table.look(0)["game"]["lapses"] == [0, 1]


def test_the_cell_of_a_lapse_does_not_depend_on_the_fleets() -> None:
    other = [{**ship, "cell": ship["cell"] + 5} for ship in FLEET]
    cells = []
    for fleet in (FLEET, other):
        table = Table("battleship", 2)
        table.act(0, "place", ships=FLEET)
        table.act(1, "place", ships=fleet)
        table.wait_until(120_000)
        cells.append([e["cell"] for e in table.events[0] if e["type"] == "bombed"])
    assert cells[0] == cells[1]
    assert len(cells[0]) == 4


def test_the_cells_of_lapses_are_drawn_anew_each_time_and_in_each_match() -> None:
    pairs = []
    for k in range(20):
        table = placed(seed=bytes([k]) * 32)
        table.wait_until(60_000)
        pairs.append([e["cell"] for e in table.events[0] if e["type"] == "bombed"])
    assert len({first for first, _ in pairs}) > 10
    assert any(first != second for first, second in pairs)


def test_lapses_find_the_last_untried_cell() -> None:
    table = placed(turn_seconds=1)
    sea = table.inner.seas[1]
    sea.tried[:] = bytes([1]) * 100
    sea.tried[57] = 0
    table.views = {viewer: table.look(viewer) for viewer in table.viewers}
    (event,) = table.wait_until(1_000)[0]
    assert event["cell"] == 57


@settings(deadline=None, max_examples=50)
@given(
    cells=st.lists(st.integers(0, 99), max_size=40),
    moved=st.lists(st.sampled_from(range(5)), min_size=5, max_size=5),
)
def test_a_player_never_learns_anything_but_the_results_of_bombs(
    cells: list[int], moved: list[int]
) -> None:
    """Two fleets that answer the same bombs alike look alike to the attacker and to spectators."""
    other = [{**ship, "cell": ship["cell"] + by} for ship, by in zip(FLEET, moved, strict=True)]
    tables = []
    for fleet in (FLEET, other):
        table = Table("battleship", 2)
        table.act(0, "place", ships=FLEET)
        table.act(1, "place", ships=fleet)
        tables.append(table)
    seen: set[int] = set()
    for turn, cell in enumerate(cells):
        hits = [any(cell in Ship(**s).cells for s in fleet) for fleet in (FLEET, other)]
        if cell in seen or hits[0] != hits[1]:
            continue
        seen.add(cell)
        results = []
        for table in tables:
            table.t = turn * 1000
            got = table.act(0, "bomb", cell=cell)
            table.act(1, "bomb", cell=WATER[len(seen)])
            results.append(got[0][0]["sunk"])
        if results[0] != results[1]:
            return
    for viewer in (0, None):
        assert tables[0].events[viewer] == tables[1].events[viewer]
        assert tables[0].look(viewer) == tables[1].look(viewer)


def test_a_snapshot_in_the_middle_changes_nothing() -> None:
    table = placed()
    for cell, other in zip(SHIP_CELLS, WATER, strict=False):
        table.act(0, "bomb", cell=cell)
        if table.look(0)["phase"] != "over":
            table.reload()
            table.act(1, "bomb", cell=other)
            table.reload()
    assert table.look(None)["outcome"]["ranks"] == [1, 2]


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"type": "bomb"},
        {"type": "bomb", "cell": True},
        {"type": "bomb", "cell": 1.0},
        {"type": "bomb", "cell": 1, "x": 1},
        {"type": "place"},
        {"type": "place", "ships": {}},
        {"type": "place", "ships": FLEET * 2},
        {"type": "place", "ships": [*FLEET[:4], {"cell": 80, "length": 2}]},
        {"type": "place", "ships": [*FLEET[:4], {**FLEET[4], "length": 10**9}]},
        {"type": "place", "ships": [*FLEET[:4], {**FLEET[4], "vertical": 1}]},
        {"type": "ready"},
    ],
)
def test_actions_of_another_form_are_refused(raw: object) -> None:
    with pytest.raises(BadAction):
        MODES["battleship"].parse_action(raw)


@pytest.mark.parametrize(
    "raw",
    [None, {"first": 2}, {"turn_seconds": 0}, {"setup_seconds": 1e3}, {"first": True}, {"x": 1}],
)
def test_options_of_another_form_are_refused(raw: object) -> None:
    with pytest.raises(BadOptions):
        MODES["battleship"].parse_options(raw)


def test_a_third_lapse_loses_even_against_one_who_is_away() -> None:
    table = placed()
    table.seat("drop", 1)
    table.wait_until(150_000)
    assert table.look(0)["outcome"]["reason"] == "lapses"
    assert table.look(0)["outcome"]["ranks"] == [2, 1]


def test_a_dropped_players_turn_clock_runs_on() -> None:
    table = placed()
    table.give(Input(Table.ORIGIN + 1_000, Kind.DROP, 0))
    events = [event["type"] for event in table.wait_until(30_000)[1]]
    assert events == ["bombed"]
