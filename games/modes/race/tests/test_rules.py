"""Race, sentence by sentence of games/modes/race/RULES.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.engine.board import HIDDEN, MINE
from games.engine.errors import BadOptions
from games.engine.registry import MODES
from tests.engine.table import Table

#  * 1 . . . 1 *      mines 0, 6, 21, 27; start 3
#  1 1 . . . 1 1
#  1 1 . . . 1 1
#  * 1 . . . 1 *      left to open after the start: 7, 13, 14, 20
DEAL = json.dumps({"mines": [0, 6, 21, 27], "start": 3}).encode()
CORNERS = [7, 13, 14, 20]


def race(seats: int = 2, *, ready: bool = True, **options: Any) -> Table:
    given = {"width": 7, "height": 4, "mines": 4, "limit_seconds": 100, "penalty_seconds": 5}
    table = Table("race", seats, deal=DEAL, **{**given, **options})
    if ready:
        table.t = 1_000
        for seat in range(seats):
            table.act(seat, "ready")
    return table


def players(table: Table) -> list[dict[str, Any]]:
    return table.look(None)["game"]["players"]


def clear(table: Table, seat: int) -> None:
    for cell in CORNERS:
        table.act(seat, "reveal", cell=cell)


def outcome(table: Table) -> Any:
    return table.look(None)["outcome"]


def test_before_the_start_nothing_of_the_board_is_seen() -> None:
    table = race(ready=False)
    assert set(table.look(0)["game"]["cells"]) == {HIDDEN}
    assert table.refused(0, "reveal", cell=7) == "not_started"


def test_at_the_start_the_same_opening_is_open_for_everybody() -> None:
    table = race(3)
    cells = [table.look(seat)["game"]["cells"] for seat in range(3)]
    assert cells[0] == cells[1] == cells[2]
    assert [c for c in range(28) if cells[0][c] == HIDDEN] == [0, 6, *CORNERS, 21, 27]
    assert [player["percent"] for player in players(table)] == [0, 0, 0]
    assert table.look(0)["game"]["ends"] == 101_000


@pytest.mark.parametrize("number", range(40))
def test_without_a_deal_the_start_is_an_opening_too(number: int) -> None:
    table = Table("race", 2, seed=bytes([number]) * 32, width=5, height=5, mines=16)
    table.act(0, "ready")
    table.act(1, "ready")
    cells = table.look(1)["game"]["cells"]
    assert 0 in cells
    assert table.look(0)["game"]["cells"] == cells


def test_the_first_to_clear_the_board_wins_and_ends_a_match_of_two() -> None:
    table = race()
    table.t = 9_000
    clear(table, 1)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([2, 1], "finished")
    assert outcome(table)["scores"] == [0, 100]
    truth = table.look(0)["truth"]
    assert [player["time_ms"] for player in truth["players"]] == [None, 8_000]
    assert truth["players"][1]["clicks"] == 4
    assert truth["bbbv"] == 5


def test_progress_is_told_in_percent_and_never_by_cells() -> None:
    table = race(3)
    got = table.act(0, "reveal", cell=7)
    assert [event["type"] for event in got[0]] == ["opened", "progress"]
    for viewer in (None, 1, 2):
        assert got[viewer] == [{"type": "progress", "seat": 0, "percent": 25}]
    assert table.look(None)["game"]["cells"] is None
    assert table.look(1)["game"]["cells"][7] == HIDDEN


def test_flags_are_private() -> None:
    table = race()
    got = table.act(0, "flag", cell=0, on=True)
    assert [event["type"] for event in got[0]] == ["flagged"]
    assert got[1] == got[None] == []


def test_a_mine_costs_a_penalty_that_grows_and_not_the_match() -> None:
    table = race()
    got = table.act(0, "reveal", cell=0)
    locked = {"type": "locked", "seat": 0, "until": 6_000, "strikes": 1}
    assert got[0] == [{"type": "mine", "cell": 0}, locked]
    assert got[1] == got[None] == [locked]
    assert table.look(0)["game"]["cells"][0] == MINE
    table.wait_until(5_999)
    for action in ({"kind": "reveal", "cell": 7}, {"kind": "flag", "cell": 6, "on": True}):
        assert table.refused(0, **action) == "locked"
    # Asked by the clock, without an entry since: the penalty is over.
    reveal = table.game.parse_action({"type": "reveal", "cell": 7})
    table.game.check(table.state, 0, reveal, at=table.ORIGIN + 6_000)
    table.t = 6_000
    table.act(0, "reveal", cell=6)
    assert players(table)[0]["locked_until"] == 6_000 + 10_000
    table.t = 16_000
    table.act(0, "chord", cell=1)
    assert players(table)[0] == {
        "percent": 25,
        "strikes": 2,
        "locked_until": 16_000,
        "finished": None,
    }
    assert table.look(1)["game"]["cells"][0] == HIDDEN


def test_with_three_the_race_goes_on_until_one_is_left() -> None:
    table = race(3)
    table.t = 2_000
    clear(table, 2)
    assert outcome(table) is None
    assert table.refused(2, "reveal", cell=0) == "finished"
    assert table.refused(2, "surrender") == "finished"
    table.t = 3_000
    clear(table, 0)
    assert outcome(table)["ranks"] == [2, 3, 1]


def test_a_player_who_has_finished_may_go_and_keeps_the_place() -> None:
    table = race(3)
    clear(table, 2)
    assert table.seat("drop", 2)[0] == [
        {"type": "dropped", "seat": 2, "gone": 1_000, "deadline": None}
    ]
    table.act(0, "reveal", cell=7)
    table.wait_until(90_000)
    assert outcome(table) is None
    table.wait_until(101_000)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([2, 3, 1], "time")


def test_when_time_is_up_progress_decides_and_equal_progress_shares() -> None:
    table = race(4)
    for cell in (7, 13):
        table.act(1, "reveal", cell=cell)
    for seat in (0, 3):
        table.act(seat, "reveal", cell=20)
    table.act(0, "reveal", cell=0)
    table.wait_until(101_000)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([2, 1, 4, 2], "time")
    assert outcome(table)["scores"] == [25, 50, 0, 25]


def test_a_player_who_gives_up_is_last_and_the_rest_race_on() -> None:
    table = race(3)
    clear_some = CORNERS[:3]
    for cell in clear_some:
        table.act(0, "reveal", cell=cell)
    table.act(0, "surrender")
    table.reload()
    assert outcome(table) is None
    clear(table, 1)
    assert outcome(table)["ranks"] == [3, 1, 2]


def test_one_left_running_with_one_home_ends_the_race() -> None:
    table = race(3)
    clear(table, 1)
    table.act(0, "surrender")
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([3, 1, 2], "finished")


def test_finishing_in_the_same_millisecond_is_a_shared_place() -> None:
    table = race(3)
    clear(table, 0)
    clear(table, 1)
    assert outcome(table)["ranks"] == [1, 1, 3]


def test_a_board_that_the_start_clears_is_a_draw() -> None:
    deal = json.dumps({"mines": [0], "start": 15}).encode()
    table = Table("race", 2, deal=deal, width=4, height=4, mines=1)
    table.act(0, "ready")
    table.act(1, "ready")
    assert (outcome(table)["ranks"], outcome(table)["scores"]) == ([1, 1], [100, 100])


@pytest.mark.parametrize(
    "raw",
    [
        {"width": 3},
        {"width": 4, "height": 4, "mines": 8},
        {"limit_seconds": 9},
        {"penalty_seconds": 0},
        {"no_guess": "yes"},
        {"safe_first": True},
    ],
)
def test_options_outside_their_bounds(raw: Any) -> None:
    with pytest.raises(BadOptions) as caught:
        MODES["race"].parse_options(raw)
    assert caught.value.code == "bad_options"


def test_the_defaults_are_an_expert_board_without_guessing() -> None:
    default = MODES["race"].parse_options({})
    assert (default.width, default.height, default.mines) == (30, 16, 99)
    assert (default.no_guess, default.limit_seconds, default.penalty_seconds) == (True, 600, 5)
