"""The scripted match does everything; test_golden.py checks that it replays to the same bytes."""

from __future__ import annotations

import pytest

from games.contract.replay import Replay
from tests.engine.golden import folder_of, read

from .script import done


@pytest.mark.parametrize("version", [1, 2])
def test_the_golden_script_does_everything(version: int) -> None:
    setup, entries, result = read(folder_of("minewars") / f"minewars-v{version}-1.log")
    table = Replay.open(setup)
    for entry in entries:
        table.apply(entry)
    assert done(table) == {
        "captures a city",
        "road",
        "road connection",
        "barricade",
        "tower",
        "bridge",
        "blinds",
        "smokes",
        "strikes",
        "kills",
        "harvests",
        "bulldozes",
        "eliminates a player",
    }
    assert result["outcome"]["reason"] == "conquest"
