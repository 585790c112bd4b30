"""The figures of `manage.py minewars_balance`."""

from __future__ import annotations

from collections import Counter

import pytest
from django.core.management import CommandError, call_command

from games.bots.roster import ROSTER
from games.modes.minewars.bot.simulation import Report
from games.modes.minewars.management.commands.minewars_balance import table


def test_the_table_says_who_won_and_what_was_used():
    won = Report(360_000, "conquest", (1, 2), 9000, (30, 20), Counter({(0, "mine"): 4}))
    lost = Report(600_000, "time", (2, 1), 9000, (30, 20), Counter())
    lines = table((ROSTER[5], ROSTER[0]), [won, lost])
    assert "| at the time limit | 50 % of 2 |" in lines
    assert "| the stronger wins | 50 % of 2 |" in lines
    assert "| more tiles at first contact wins | 50 % of 2 |" in lines
    assert "| mine: a match, and in how many | 2.0, 50 % of 2 |" in lines


@pytest.mark.parametrize("pair", ["1500", "1500:1", "weak:strong"])
def test_an_unknown_pair_is_refused(pair: str):
    with pytest.raises(CommandError, match="is no pair"):
        call_command("minewars_balance", pairs=[pair])
