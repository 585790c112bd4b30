"""Draws how our packages import each other: `python -m minesite.graph`, or `make graph`.

Every import statement counts, also inside functions and under TYPE_CHECKING; tests don't. The
drawing goes into docs/architecture.md between two markers, and tests/ground/test_imports.py checks
that the packages stand in one order and that the drawing is current.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "architecture.md"
BEGIN: Final = "<!-- graph: made by `make graph` -->"
END: Final = "<!-- end of graph -->"

APPS: Final = ("accounts", "games", "lobby", "minesite")
SPLIT: Final = "games"
"""The app whose children are packages of their own here; the others are one package each."""
LAYERS: Final = (
    ("games.engine",),
    ("games.bots",),
    ("games.contract",),
    ("games.modes",),
    (
        "games.compute",
        "games.models",
        "games.signals",
        "games.log_context",
        "games.rate_limit",
        "games.tracing",
        "games.redis",
        "games.storage",
    ),
    ("games.access", "games.analysing", "games.push"),
    ("games.live",),
)
"""The order inside games, the lowest first; everything else in games is above."""


class Import(NamedTuple):
    """One import statement of ours."""

    path: str
    line: int
    module: str
    """The module that imports."""
    name: str
    """The module, or the name in a module, that is imported."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.module} imports {self.name}"


def sources(*folders: str) -> Iterator[Path]:
    """Every Python file of the project in these folders but the tests."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "tests" not in path.relative_to(ROOT).parts:
                yield path


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(name: str) -> bool:
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or place.is_dir()


def imports_of(path: Path) -> Iterator[Import]:
    """The imports of a file. `from games import live` is an import of games.live, and
    `from random import Random` of random.Random."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    where = str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(where, node.lineno, module, alias.name)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            for alias in node.names:
                name = f"{base}.{alias.name}"
                ours = base.split(".")[0] in APPS
                found = base if ours and not is_module(name) else name
                yield Import(where, node.lineno, module, found)


def package_of(module: str) -> str | None:
    """The graph's package that this module belongs to; None for modules from elsewhere."""
    parts = module.split(".")
    if parts[0] not in APPS:
        return None
    if parts[0] == SPLIT and len(parts) > 1:
        return ".".join(parts[:2])
    return parts[0]


def imports() -> Iterator[Import]:
    """Every import from one of our packages into another one."""
    for path in sources(*APPS):
        if "migrations" in path.parts:
            continue
        for each in imports_of(path):
            target = package_of(each.name)
            if target is not None and target not in (package_of(each.module), SPLIT):
                yield each


def rank(package: str) -> tuple[int, int]:
    """The level of a package: it may import packages of its own level and below."""
    app = APPS.index(package.split(".")[0])
    if package.split(".")[0] != SPLIT:
        return app, 0
    inside = [number for number, layer in enumerate(LAYERS) if package in layer]
    return app, inside[0] if inside else len(LAYERS)


def upward(found: Iterable[Import]) -> list[Import]:
    """The imports of something that stands higher than the importer."""
    return [
        each
        for each in found
        if rank(package_of(each.name) or "") > rank(package_of(each.module) or "")
    ]


def edges(found: Iterable[Import]) -> dict[str, set[str]]:
    """For each package, those that it imports."""
    graph: dict[str, set[str]] = {}
    for each in found:
        importer, imported = package_of(each.module) or "", package_of(each.name) or ""
        graph.setdefault(importer, set()).add(imported)
        graph.setdefault(imported, set())
    return graph


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """The packages of a cycle; empty when there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def reduced(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Without the edges that a longer way implies: what is left can be read."""

    def reached(package: str) -> set[str]:
        return graph[package].union(*(reached(each) for each in graph[package]))

    return {
        package: direct - set().union(*(reached(each) for each in direct))
        for package, direct in graph.items()
    }


def drawn(graph: dict[str, set[str]]) -> str:
    """A mermaid diagram: an arrow means that one imports the other, directly and not only through
    others."""
    lines = ["```mermaid", "flowchart BT"]
    for app in APPS:
        inside = sorted(package for package in graph if package.split(".")[0] == app)
        if inside == [app]:
            lines.append(f"  {app}")
            continue
        lines.append(f"  subgraph {app}")
        lines += [f"    {_id(each)}[{each.removeprefix(app + '.')}]" for each in inside]
        lines.append("  end")
    for package, targets in sorted(reduced(graph).items()):
        lines += [f"  {_id(package)} --> {_id(target)}" for target in sorted(targets)]
    return "\n".join([*lines, "```"])


def _id(package: str) -> str:
    return package.replace(".", "_")


def with_drawing(page: str, drawing: str) -> str:
    """The page with this drawing between its markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{drawing}\n{END}{after}"


def main() -> int:
    found = list(imports())
    graph = edges(found)
    wrong = upward(found)
    for each in wrong:
        print(each, file=sys.stderr)
    if around := cycle(graph):
        print("A cycle: " + " -> ".join(around), file=sys.stderr)
        return 1
    PAGE.write_text(with_drawing(PAGE.read_text(), drawn(graph)))
    print(f"{len(graph)} packages drawn in {PAGE.relative_to(ROOT)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
