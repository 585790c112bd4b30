"""Imports point one way: accounts <- games <- lobby <- minesite, and inside games
engine <- bots <- contract <- modes <- models <- live <- the rest. There are no exceptions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from minesite import graph

ROOT = graph.ROOT
# What reads clocks, chance or the world.
IMPURE = {
    "asyncio",
    "datetime",
    "os",
    "secrets",
    "socket",
    "subprocess",
    "threading",
    "time",
    "uuid",
}
# Bots and the contract suite draw from a generator that they are given.
GIVEN_CHANCE = "random.Random"


@pytest.fixture(scope="module")
def imports() -> list[graph.Import]:
    return list(graph.imports())


def test_imports_point_one_way(imports):
    wrong = graph.upward(imports)
    assert not wrong, "imports that point up:\n" + "\n".join(map(str, wrong))


def test_there_is_no_cycle(imports):
    around = graph.cycle(graph.edges(imports))
    pairs = set(zip(around[1:], around, strict=False))
    guilty = [
        each
        for each in imports
        if (graph.package_of(each.module), graph.package_of(each.name)) in pairs
    ]
    assert not around, " -> ".join(around) + "\n" + "\n".join(map(str, guilty))


def test_every_package_is_drawn(imports):
    drawn = graph.edges(imports)
    assert set(drawn) >= {"accounts", "lobby", "minesite"} | {
        package for layer in graph.LAYERS for package in layer
    }


def test_imports_inside_functions_and_relative_ones_count(tmp_path, monkeypatch):
    monkeypatch.setattr(graph, "ROOT", tmp_path)
    for folder in ("games/live/lane", "games/engine", "lobby"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "games/live/host.py").touch()
    file = tmp_path / "games/engine/bad.py"
    file.write_text(
        "from random import Random\n"
        "def late():\n"
        "    from games.live.host import Host\n"
        "    from ..live import lane\n"
        "    import lobby.queue\n"
    )
    found = [(each.line, each.name) for each in graph.imports_of(file)]
    assert found == [
        (1, "random.Random"),
        (3, "games.live.host"),
        (4, "games.live.lane"),
        (5, "lobby.queue"),
    ]
    wrong = graph.upward(each for each in graph.imports_of(file) if graph.package_of(each.name))
    assert [each.line for each in wrong] == [3, 4, 5]
    assert str(wrong[0]) == "games/engine/bad.py:3: games.engine.bad imports games.live.host"


def test_a_cycle_is_found():
    around = graph.cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})
    assert set(around) == {"a", "b", "c"}


def impure(path: Path, *allowed: str) -> list[str]:
    """The imports of a file that isn't pure: of anything but us and the standard library without
    clock, chance and IO."""
    wrong = []
    for each in graph.imports_of(path):
        top = each.name.split(".")[0]
        if graph.package_of(each.name) is not None or each.name in allowed:
            continue
        if top in IMPURE or top == "random" or top not in sys.stdlib_module_names:
            wrong.append(str(each))
    return wrong


def test_the_engine_is_pure():
    wrong = [line for path in graph.sources("games/engine") for line in impure(path)]
    assert not wrong, "\n".join(wrong)


def test_the_tool_kit_of_bots_is_pure():
    wrong = [line for path in graph.sources("games/bots") for line in impure(path, GIVEN_CHANCE)]
    assert not wrong, "\n".join(wrong)


def test_modes_are_pure():
    """All of a mode but its commands; only its bot and its contract draw from a generator."""
    wrong = []
    for path in graph.sources("games/modes"):
        inside = path.relative_to(ROOT / "games/modes").parts[1:]
        if "management" in inside or "migrations" in inside:
            continue
        allowed = (GIVEN_CHANCE,) if inside in (("bot.py",), ("contract.py",)) else ()
        wrong += impure(path, *allowed)
    assert not wrong, "\n".join(wrong)


def test_the_drawing_is_current(imports):
    page = graph.PAGE.read_text()
    wanted = graph.with_drawing(page, graph.drawn(graph.edges(imports)))
    assert page == wanted, "run `make graph`"
