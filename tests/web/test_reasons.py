"""The reason why a match ended is told in a sentence of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine.registry import MODES
from tests.engine.golden import folder_of, read

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "games/static/games/match/texts.js"


def told(path: Path) -> set[str]:
    return set(re.findall(r"^  (\w+): t\(", path.read_text(), re.MULTILINE))


@pytest.mark.parametrize("mode", sorted(MODES))
def test_every_reason_that_a_mode_has_ended_for_has_a_sentence(mode: str) -> None:
    outcomes = [read(path)[2]["outcome"] for path in folder_of(mode).glob(f"{mode}-v*.log")]
    assert outcomes
    own = ROOT / f"games/modes/{mode.replace('-', '_')}/static/modes/{mode}/texts.js"
    reasons = {one["reason"] for one in outcomes if not one["aborted"]}
    assert reasons <= told(SHARED) | told(own)
