"""The scripted match does everything; test_golden.py checks that it replays to the same bytes."""

from __future__ import annotations

from tests.engine.golden import FOLDER, read
from tests.engine.playing import Replay

from .script import done


def test_the_golden_script_does_everything() -> None:
    setup, entries, result = read(FOLDER / "minewars-v1-1.log")
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
