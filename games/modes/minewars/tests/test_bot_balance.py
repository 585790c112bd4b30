"""The figures of `manage.py minewars_balance`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.modes.minewars.bot.figures import plot, table, thinking, verdicts
from games.modes.minewars.bot.simulation import Report

WON = Report(
    360_000,
    "conquest",
    (1, 2),
    9000,
    (30, 20),
    Counter({(0, "mine"): 4}),
    thinking=Counter({20: 98, 300: 2}),
)
LOST = Report(1_800_000, "time", (2, 1), 9000, (30, 20), thinking=Counter({20: 100}))


def test_the_table_says_who_won_and_what_was_used():
    lines = table((1500, 700), [WON, LOST])
    assert "| at the time limit | 50.0 % |" in lines
    assert "| the stronger wins | 50.0 % |" in lines
    assert "| more tiles at first contact wins | 50.0 % |" in lines
    assert "| mine | 2.0 a match, in 50 % |" in lines


def test_every_aim_has_a_verdict():
    assert verdicts((1500, 700), [WON, LOST]) == ["MISSED: the stronger wins at least 90 %: 50.0 %"]
    assert verdicts((1000, 1000), [WON] * 3) == [
        "met: median 6 to 12 min: 6.0 min",
        "met: at most 5 % at the time limit: 0.0 %",
        "MISSED: more tiles at first contact wins at most 65 %: 100.0 %",
    ]
    strong = verdicts((1500, 1500), [WON, LOST])
    assert "met: mine in at least 50 %: 50 %" in strong
    assert "MISSED: bridge in at least 50 %: 0 %" in strong


def test_the_figures_on_thinking_are_of_all_matches():
    assert thinking([WON, LOST]) == (0.2, 0.2, 3.0)
    assert thinking([WON]) == (0.2, 3.0, 3.0)


def test_a_report_survives_being_kept():
    assert Report.from_json(WON.as_json()) == WON


def test_the_plot_has_a_row_for_every_pair():
    drawn = plot({"1500 : 1500": [WON, LOST], "700 : 700": [WON]})
    assert drawn.count("<text") == 2 + 6


def test_a_saved_match_is_not_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "kept.jsonl"
    given = {"pairs": ["1500:700"], "matches": 1, "processes": 1, "save": file}
    call_command("minewars_balance", **given)
    first = capsys.readouterr().out
    kept = file.read_text()
    call_command("minewars_balance", **given)
    assert capsys.readouterr().out == first
    assert file.read_text() == kept
    assert "1500 against 700, 1 matches" in first


@pytest.mark.parametrize("pair", ["1500", "1500:1", "weak:strong"])
def test_an_unknown_pair_is_refused(pair: str):
    with pytest.raises(CommandError, match="is no pair"):
        call_command("minewars_balance", pairs=[pair])
