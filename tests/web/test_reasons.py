"""Why a match ended is told in a sentence of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine.registry import MODES
from tests.engine.golden import folder_of, read

TEXTS = Path(__file__).parents[2] / "games/static/games/match/texts.js"


@pytest.mark.parametrize("mode", sorted(MODES))
def test_every_reason_that_a_mode_has_ended_for_has_a_sentence(mode: str) -> None:
    told = re.findall(r"^  (\w+): t\(", TEXTS.read_text(), re.MULTILINE)
    outcomes = [read(path)[2]["outcome"] for path in folder_of(mode).glob(f"{mode}-v*.log")]
    assert outcomes
    assert {one["reason"] for one in outcomes if not one["aborted"]} <= set(told)
