"""The registry finds modes, and refuses those that don't fit."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest

from games.engine.mode import Daily, Mode
from games.engine.registry import MODES, REGISTRY, TEST_MODES, Registry, built_in, game, mode, modes


@pytest.fixture
def package(monkeypatch):
    """Makes importable packages whose `mode.py` has this MODE."""

    def make(name: str, value: object) -> str:
        module = ModuleType(f"{name}.mode")
        module.MODE = value
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, f"{name}.mode", module)
        return name

    return make


CLAIM = TEST_MODES["claim"]


def test_the_built_in_modes_are_those_with_a_folder():
    assert len(built_in()) == 5
    assert {REGISTRY.package(name) for name in REGISTRY} >= set(built_in())
    assert [each.name for each in modes()] == list(MODES)
    assert all(mode(name).game is MODES[name] for name in MODES)


def test_test_modes_are_games_but_no_modes():
    assert game("claim") is CLAIM.game
    assert "claim" not in MODES
    with pytest.raises(KeyError):
        mode("claim")


def test_a_mode_from_outside_joins_in_its_order(package):
    registry = Registry()
    first = registry.add(package("outside", replace(CLAIM, order=-1)))
    assert next(iter(registry)) == first.name
    assert registry.package("claim") == "outside"
    assert registry.add("outside") is first
    assert len(registry) == len(built_in()) + 1


def test_two_modes_of_one_name_are_refused(package):
    registry = Registry()
    registry.add(package("one", CLAIM))
    with pytest.raises(ValueError, match="two and one both have a mode named claim"):
        registry.add(package("two", CLAIM))


def test_a_second_board_of_the_day_is_refused(package):
    daily = replace(CLAIM, daily=Daily(9, 9, 10))
    with pytest.raises(ValueError, match="both have a board of the day"):
        Registry().add(package("outside", daily))


def test_a_package_without_a_mode_is_refused(package):
    with pytest.raises(ValueError, match=r"outside\.mode has no MODE"):
        Registry().add(package("outside", 3))


@pytest.mark.parametrize("name", ["Claim", "c", "9lives", "a" * 21, "with space", ""])
def test_names_are_parts_of_addresses(name):
    with pytest.raises(ValueError, match="is not a name of a mode"):
        Mode(name=name, title="", blurb="", rules=CLAIM.rules)


def test_a_mode_and_its_rules_have_one_name():
    with pytest.raises(ValueError, match="say that they are claim"):
        replace(CLAIM, name="other")


def test_unknown_parts_are_refused():
    with pytest.raises(ValueError, match="unknown parts: music"):
        replace(CLAIM, parts=frozenset({"music"}))
