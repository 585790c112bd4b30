"""Two versions of the rules side by side."""

from __future__ import annotations

from games.engine.game import Setup
from games.engine.registry import MODES
from games.modes.minewars.rules.ruleset import VERSION, Ruleset

GAME = MODES["minewars"]


def view(version: int) -> dict[str, object]:
    options = GAME.parse_options({"radius": 8, "ban_seconds": 0})
    state = GAME.start(Setup("minewars", version, bytes(32), 2, options, 0))
    return GAME.view(state, 0)


def test_the_present_version_is_what_the_ruleset_says_by_itself() -> None:
    assert GAME.spec.version == VERSION
    assert Ruleset.for_version(VERSION) == Ruleset()
    assert GAME.spec.replays == (1,)


def test_a_match_of_version_1_knows_nothing_of_version_2() -> None:
    old, new = view(1), view(2)
    assert new["options"].keys() - old["options"].keys() == {"watch_delay_seconds"}  # type: ignore[attr-defined]
    added = new["game"].keys() - old["game"].keys()  # type: ignore[attr-defined]
    assert added == {"watching", "rules", "names", "protected", "smoke", "allies"}
