"""The versions of the rules side by side."""

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
    assert GAME.spec.replays == (1, 2)


def test_a_match_of_version_1_knows_nothing_of_version_2() -> None:
    old, new = view(1), view(2)
    assert new["options"].keys() - old["options"].keys() == {"watch_delay_seconds"}
    added = new["game"].keys() - old["game"].keys()
    assert added == {"watching", "rules", "names", "protected", "smoke", "allies"}


def test_a_match_of_version_2_knows_nothing_of_version_3() -> None:
    old, new = view(2), view(3)
    assert old["options"] == new["options"]
    assert new["game"].keys() - old["game"].keys() == {"late"}
    rules = [one["game"]["rules"] for one in (old, new)]
    assert rules[1].keys() - rules[0].keys() == {
        "capture_from_cities",
        "held_siege_ms",
        "fall_radius",
        "late_seconds",
        "late_siege_ms",
        "late_overrun",
        "late_smaller",
        "late_smaller_seconds",
        "late_strike_percent",
    }
