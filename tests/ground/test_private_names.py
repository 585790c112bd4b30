"""Tests look at a module from outside: they use no private name of another one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_site import ROOT

PUBLIC = {
    "_meta",  # Django documents it
    "_fields", "_replace",  # of named tuples, which keep the names without a line for fields
    "_exit",  # of os
}  # fmt: skip
OWN = {"self", "cls"}
BY_NAME = {"getattr", "setattr", "delattr", "hasattr", "object"}
"""Functions, and methods of monkeypatch and mock, that take an attribute's name."""


def private_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines and names: attributes of anything but the test's own objects, imports, patches."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=owner)) if owner in OWN:
                continue
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
                continue
            case ast.Attribute(attr=name):
                names = [name]
            case ast.ImportFrom(names=imported):
                names = [each.name for each in imported]
            case ast.Call(
                func=ast.Name(id=function) | ast.Attribute(attr=function), args=arguments
            ) if function in BY_NAME:
                given = [each.value for each in arguments if isinstance(each, ast.Constant)]
                names = [
                    part for each in given if isinstance(each, str) for part in each.split(".")
                ]
            case _:
                continue
        for name in names:
            if name.startswith("_") and not name.endswith("__") and name not in PUBLIC:
                yield node.lineno, name


def test_no_test_uses_a_private_name_of_another_module() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "games" / "modes").glob("*/tests/**/*.py")]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in files
        for line, name in private_names(ast.parse(path.read_text()))
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "host._unload(match)",
        "host()._subscriber.close()",
        "from games.live.archive import _read",
        'monkeypatch.setattr(storage, "_full", False)',
        'monkeypatch.setattr("games.storage._full", False)',
        'patch.object(driver, "_enter")',
    ],
)
def test_such_a_use_is_found(line: str) -> None:
    assert list(private_names(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    ["self._events.clear()", "super()._send(1)", "Model._meta.label", "point.__class__", "_own()"],
)
def test_own_and_public_names_are_allowed(line: str) -> None:
    assert not list(private_names(ast.parse(line)))


def test_the_modes_tests_are_looked_at() -> None:
    assert list(Path(ROOT / "games" / "modes").glob("*/tests/**/test_*.py"))
