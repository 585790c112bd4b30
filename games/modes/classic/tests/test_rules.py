"""Classic, sentence by sentence of games/modes/classic/RULES.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.engine.board import FLAG, HIDDEN, MINE
from games.engine.errors import BadOptions
from games.engine.game import Input, Kind
from games.engine.registry import MODES, mode
from tests.engine.table import Table

#  0 1 2 3 4
#  . . . 1 *
#  . . . 1 1
#  1 1 . . .
#  * 1 . . .
MINES = [4, 15]
DEAL = json.dumps({"mines": MINES, "start": 3}).encode()


def dealt() -> Table:
    """A 5x4 board with known mines that begins at cell 3, which is a 1."""
    return Table("classic", 1, deal=DEAL, width=5, height=4, mines=2)


def begun() -> Table:
    table = dealt()
    table.t = 1_000
    table.act(0, "reveal", cell=3)
    return table


def over(table: Table) -> Any:
    return table.look(0)["outcome"]


def test_presets_and_defaults() -> None:
    game = MODES["classic"]
    sizes = {
        name: (o.width, o.height, o.mines)
        for name, o in (
            (p.name, game.parse_options(dict(p.options))) for p in mode("classic").presets
        )
    }
    assert sizes == {
        "beginner": (9, 9, 10),
        "intermediate": (16, 16, 40),
        "expert": (30, 16, 99),
    }
    default = game.parse_options({})
    assert (default.width, default.height, default.mines) == sizes["beginner"]
    assert (default.safe_first, default.no_guess) == (True, False)


@pytest.mark.parametrize(
    "raw",
    [
        {"width": 101},
        {"height": 1},
        {"width": 9, "height": 9, "mines": 81},
        {"mines": 0},
        {"safe_first": 1},
        {"depth": 3},
        {"preset": "expert"},
    ],
)
def test_options_outside_their_bounds(raw: Any) -> None:
    with pytest.raises(BadOptions) as caught:
        MODES["classic"].parse_options(raw)
    assert caught.value.code == "bad_options"


def test_the_largest_board_opens() -> None:
    table = Table("classic", 1, width=100, height=100, mines=2_000)
    table.act(0, "reveal", cell=5_050)
    assert table.look(0)["game"]["cells"][5_050] == 0


def test_it_is_live_at_once() -> None:
    assert dealt().look(0)["phase"] == "live"


@pytest.mark.parametrize("cell", range(0, 81, 4))
def test_the_first_reveal_gives_an_opening(cell: int) -> None:
    for i in range(10):
        table = Table("classic", 1, seed=bytes([i, cell]) * 16, mines=30)
        table.act(0, "reveal", cell=cell)
        view = table.look(0)["game"]
        assert view["cells"][cell] == 0
        assert len(table.inner.board.field.mines) == 30
        table.reload()
        assert table.look(0)["game"] == view


def test_without_room_for_an_opening_the_first_reveal_is_only_safe() -> None:
    for cell in range(9):
        table = Table("classic", 1, width=3, height=3, mines=8)
        table.act(0, "reveal", cell=cell)
        assert over(table)["reason"] == "cleared"
        assert sorted(table.look(0)["truth"]["mines"]) == [c for c in range(9) if c != cell]


def test_without_protection_the_first_reveal_can_be_a_mine_and_no_mine_moves() -> None:
    table = Table("classic", 1, safe_first=False)
    mines = sorted(table.inner.board.field.mines)
    table.act(0, "reveal", cell=mines[0])
    assert over(table)["reason"] == "mine"
    assert table.look(0)["truth"]["mines"] == mines


def test_a_dealt_board_begins_at_its_start_and_stays_as_dealt() -> None:
    table = dealt()
    assert table.look(0)["game"]["start"] == 3
    assert table.refused(0, "reveal", cell=0) == "start_first"
    table.act(0, "flag", cell=4, on=True)
    table.act(0, "reveal", cell=3)
    table.act(0, "reveal", cell=0)
    assert over(table)["reason"] == "cleared"
    assert table.look(0)["truth"]["mines"] == MINES


def test_a_deal_that_does_not_fit_starts_no_match() -> None:
    with pytest.raises(BadOptions) as caught:
        Table("classic", 1, deal=DEAL, width=5, height=4, mines=3)
    assert caught.value.code == "bad_deal"


def test_the_clock_runs_from_the_first_reveal_to_the_end() -> None:
    table = dealt()
    table.act(0, "flag", cell=4, on=True)
    assert table.look(0)["game"]["started"] is None
    table.t = 5_000
    table.act(0, "reveal", cell=3)
    assert table.look(0)["game"]["started"] == 5_000
    table.t = 8_250
    table.act(0, "chord", cell=3)
    assert table.look(0)["game"]["ended"] == 8_250
    assert table.look(0)["truth"]["time_ms"] == 3_250


def test_the_figures_of_a_won_game() -> None:
    table = begun()
    table.act(0, "flag", cell=4, on=True)
    table.act(0, "chord", cell=3)
    assert over(table) == {
        "ranks": [1],
        "reason": "cleared",
        "aborted": False,
        "absent": [],
        "scores": [100],
    }
    assert table.look(None)["truth"] == {
        "mines": MINES,
        "won": True,
        "aided": False,
        "time_ms": 0,
        "bbbv": 1,
        "bbbv_done": 1,
        "clicks": 3,
        "efficiency": 33,
    }


def test_a_mine_ends_the_game_lost() -> None:
    table = begun()
    table.act(0, "reveal", cell=15)
    assert over(table)["reason"] == "mine"
    assert table.look(0)["game"]["cells"][15] == MINE
    truth = table.look(0)["truth"]
    assert (truth["won"], truth["bbbv_done"], truth["clicks"]) == (False, 0, 2)
    assert over(table)["scores"] == [5]


def test_flags_and_what_they_refuse() -> None:
    table = begun()
    table.act(0, "flag", cell=0, on=True)
    assert table.look(None)["game"]["cells"][0] == FLAG
    assert table.refused(0, "reveal", cell=0) == "flagged"
    assert table.refused(0, "flag", cell=0, on=True) == "same_flag"
    assert table.refused(0, "flag", cell=1, on=False) == "same_flag"
    table.act(0, "flag", cell=0, on=False)
    assert table.look(0)["game"]["cells"][0] == HIDDEN
    assert table.refused(0, "flag", cell=3, on=True) == "already_open"
    assert table.refused(0, "reveal", cell=3) == "already_open"


def test_chords_and_what_they_refuse() -> None:
    table = begun()
    assert table.refused(0, "chord", cell=0) == "not_open"
    assert table.refused(0, "chord", cell=3) == "chord_mismatch"
    for cell in (2, 4, 7, 8, 9):
        table.act(0, "flag", cell=cell, on=True)
    assert table.refused(0, "chord", cell=3) == "chord_mismatch"
    for cell in (2, 7, 8, 9):
        table.act(0, "flag", cell=cell, on=False)
        if cell > 7:
            table.act(0, "reveal", cell=cell)
    table.act(0, "chord", cell=3)
    assert over(table)["reason"] == "cleared"


def test_a_chord_with_nothing_left_to_open() -> None:
    deal = json.dumps({"mines": [0, 20], "start": 1}).encode()
    table = Table("classic", 1, deal=deal, width=21, height=2, mines=2)
    for cell in (1, 2, 21, 22, 23):
        table.act(0, "reveal", cell=cell)
    table.act(0, "flag", cell=0, on=True)
    assert table.refused(0, "chord", cell=1) == "nothing_to_open"


def test_a_chord_on_a_wrong_flag_strikes_the_mine() -> None:
    table = begun()
    table.act(0, "flag", cell=2, on=True)
    table.act(0, "chord", cell=3)
    assert over(table)["reason"] == "mine"
    assert table.look(0)["game"]["cells"][4] == MINE


@pytest.mark.parametrize("cell", [-1, 20, 2**53 - 1])
@pytest.mark.parametrize("kind", ["reveal", "chord"])
def test_cells_off_the_board(cell: int, kind: str) -> None:
    assert begun().refused(0, kind, cell=cell) == "out_of_range"


def test_a_hint_marks_the_game_as_aided() -> None:
    table = begun()
    table.act(0, "hinted")
    table.act(0, "hinted")
    assert table.look(None)["game"]["hints"] == 2
    table.act(0, "surrender")
    assert table.look(0)["truth"]["aided"] is True


def test_giving_up_before_the_first_reveal() -> None:
    table = dealt()
    table.t = 500
    table.act(0, "surrender")
    assert over(table)["reason"] == "surrender"
    assert table.look(0)["truth"]["time_ms"] == 0


def test_a_player_who_is_away_for_ten_minutes_has_abandoned_the_game() -> None:
    table = begun()
    table.seat("drop", 0)
    table.wait_until(600_999)
    assert over(table) is None
    table.wait_until(601_000)
    assert (over(table)["reason"], over(table)["aborted"]) == ("abandoned", False)


def test_an_abort_by_the_site_stops_the_clock() -> None:
    table = begun()
    table.give(Input(Table.ORIGIN + 4_000, Kind.ABORT, reason="server_error"))
    assert table.look(0)["truth"]["time_ms"] == 3_000


def test_spectators_see_what_the_player_sees() -> None:
    table = begun()
    table.act(0, "flag", cell=4, on=True)
    assert table.look(None)["game"] == table.look(0)["game"]
