"""Imports point one way: accounts <- games <- lobby <- minesite, and inside games
engine <- bots <- contract <- modes <- models <- live <- the rest. There are no exceptions. Names of
views and templates point the same way."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from minesite import graph

ROOT = graph.ROOT
# Modules that read clocks, chance or the world.
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
DRAWING = {"bot", "bot.py", "contract.py"}


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
        allowed = (GIVEN_CHANCE,) if {*inside[:1]} & DRAWING else ()
        wrong += impure(path, *allowed)
    assert not wrong, "\n".join(wrong)


def test_the_drawing_is_current(imports):
    page = graph.PAGE.read_text()
    wanted = graph.with_drawing(page, graph.drawn(graph.edges(imports)))
    assert page == wanted, "run `make graph`"


# -- names of views ------------------------------------------------------------------------------

BY_NAME = {"reverse", "reverse_lazy", "redirect", "resolve_url"}
URL_TAG = re.compile(r"""{% url ['"]([^'"]+)['"]""")


def app_of(module: str) -> str | None:
    app = module.split(".")[0]
    return app if app in graph.APPS else None


def views(
    patterns: list[Any], urlconf: str | None, namespace: str = ""
) -> Iterator[tuple[str, str | None]]:
    """The name of every view, and the app of ours that has it."""
    for each in patterns:
        if isinstance(each, URLResolver):
            inside = getattr(each.urlconf_name, "__name__", None)
            owner = app_of(inside) if inside else urlconf
            if each.app_name == "admin":
                owner = None  # Django's pages; our own ones are known by their views
            prefix = f"{namespace}{each.namespace}:" if each.namespace else namespace
            yield from views(each.url_patterns, owner, prefix)
        elif isinstance(each, URLPattern) and each.name:
            yield f"{namespace}{each.name}", app_of(each.callback.__module__) or urlconf


def names_used(path: Path) -> Iterator[tuple[int, str]]:
    """Names of views that a Python file or a template asks for the address of."""
    if path.suffix == ".html":
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield from ((number, name) for name in URL_TAG.findall(line))
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        called = getattr(node.func, "id", getattr(node.func, "attr", ""))
        given = node.args[:1] if called in BY_NAME else []
        given += [keyword.value for keyword in node.keywords if keyword.arg == "pattern_name"]
        for value in given:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield node.lineno, value.value


def our_templates(app: str) -> Iterator[Path]:
    for path in sorted((ROOT / app).rglob("*.html")):
        if "tests" not in path.relative_to(ROOT).parts:
            yield path


def test_no_app_names_a_view_of_a_higher_one():
    """An app links to a page of a higher one with accounts/places.py."""
    owners = dict(views(get_resolver().url_patterns, "minesite"))
    assert owners["lobby:front"] == owners["admin:match-log"] == "lobby"
    assert owners["api-docs"] == owners["api:openapi-json"] == "minesite"
    assert owners["admin:login"] is owners["account_login"] is None
    del owners["admin:index"]  # the dashboard is ours, but its name is Django's
    wrong = []
    for app in graph.APPS:
        for path in (*graph.sources(app), *our_templates(app)):
            for line, name in names_used(path):
                owner = owners.get(name)
                if owner and graph.APPS.index(owner) > graph.APPS.index(app):
                    wrong.append(f"{path.relative_to(ROOT)}:{line}: {name} is a view of {owner}")
    assert not wrong, "\n".join(wrong)


# -- templates -----------------------------------------------------------------------------------

USED = re.compile(r"""['"]([a-z_/-]+\.html)['"]""")
DJANGOS = ("account/", "admin/", "allauth/", "400", "403", "404", "429", "500", "503")
"""Templates that Django, its error handlers or allauth look for by these names."""


def test_a_template_belongs_to_an_app_that_uses_it():
    """One that only a higher app renders is that app's own."""
    used = {
        app: {
            name
            for path in (*graph.sources(app), *our_templates(app))
            for name in USED.findall(path.read_text())
        }
        for app in graph.APPS
    }
    wrong = []
    for app in graph.APPS:
        folder = ROOT / app / "templates"
        for path in sorted(folder.rglob("*.html")):
            name = str(path.relative_to(folder))
            if name not in used[app] and not name.startswith(DJANGOS):
                wrong.append(str(path.relative_to(ROOT)))
    assert not wrong, "\n".join(wrong)


def test_lower_apps_render_no_template_of_a_higher_one():
    wrong = []
    for number, app in enumerate(graph.APPS[:-1]):
        folders = [ROOT / higher / "templates" for higher in graph.APPS[number + 1 : -1]]
        for path in (*graph.sources(app), *our_templates(app)):
            for name in USED.findall(path.read_text()):
                if any((folder / name).exists() for folder in folders):
                    wrong.append(f"{path.relative_to(ROOT)}: {name}")
    assert not wrong, "\n".join(wrong)
