"""The scripted match does everything; test_golden.py checks that it replays to the same bytes."""

from __future__ import annotations

from games.contract.replay import Replay
from tests.engine.golden import folder_of, read

from .script import done


def test_the_golden_script_does_everything() -> None:
    setup, entries, result = read(folder_of("minewars") / "minewars-v1-1.log")
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
