"""Imports point one way: engine <- live <- (protocols, bots, consumers); lobby and games know
accounts, never the reverse; nothing imports `minesite` but through django.conf.settings."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = ("accounts", "bench", "games", "lobby", "minesite", "tests")

# What a package may import of ours, longest prefix first. Its own modules it may always import.
ALLOWED = {
    "games.engine": (),
    "games.live": ("games.engine", "games.models", "games.signals", "accounts"),
    "games": ("games", "accounts", "lobby"),
    "lobby": ("games", "accounts"),
    "accounts": (),
}
# The engine is pure: these modules of the standard library read clocks, chance or the world.
IMPURE = {"asyncio", "datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path, module: str) -> Iterator[str]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            yield base
            # `from games import live` names a module too; a name that is none does no harm here.
            yield from (f"{base}.{alias.name}" for alias in node.names)


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_point_one_way(package):
    inner = [other for other in ALLOWED if other != package and within(other, package)]
    wrong = []
    for path in sources(package.replace(".", "/")):
        module = module_name(path)
        if any(within(module, other) for other in inner):
            continue  # has stricter rules of its own
        for name in imported(path, module):
            if name.split(".")[0] not in OURS or within(name, package):
                continue
            # `from games import models` also yields "games": the package itself holds nothing.
            if any(within(name, allowed) or within(allowed, name) for allowed in ALLOWED[package]):
                continue
            wrong.append(f"{module} imports {name}")
    assert not wrong


def test_the_engine_is_pure():
    wrong = []
    for path in sources("games/engine"):
        for name in imported(path, module_name(path)):
            top = name.split(".")[0]
            if within(name, "games.engine") or name == "games":
                continue
            if top in IMPURE or top not in sys.stdlib_module_names:
                wrong.append(f"{module_name(path)} imports {name}")
    assert not wrong
