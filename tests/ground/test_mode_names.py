"""A mode is a folder: nothing outside of it knows it by name.

Tests, benchmarks, data migrations and documents name modes freely; so does generated text.
"""

from __future__ import annotations

import re
import subprocess

from games.engine.registry import REGISTRY, built_in
from tests.running_site import ROOT

OUTSIDE = re.compile(
    r"^(games/modes/|tests/|bench/|docs/|locale/|[^/]*\.md$|\.)|/(migrations|tests)/"
)
SOURCES = re.compile(r"\.(py|js|html|css|toml|yaml|conf|service|lua|svg)$|^Makefile$|Dockerfile$")


def spellings(name: str) -> list[str]:
    """The name as a literal, and as a part of identifiers and paths."""
    words = name.split("-")
    pascal = "".join(word.capitalize() for word in words)
    return [
        rf"[\"'`/]{name}[\"'`/]",
        *((rf"\b{'_'.join(words)}\b", name) if len(words) > 1 else ()),
        rf"\b{pascal}[A-Z]\w*",
        rf"\bmodes[./]{'_'.join(words)}\b",
    ]


def test_no_mode_is_named_outside_its_folder() -> None:
    packages = built_in()
    names = [name for name in REGISTRY if REGISTRY.package(name) in packages]
    titles = [REGISTRY[name].title for name in names if len(name) > 7]
    wanted = re.compile(
        "|".join([*(each for name in names for each in spellings(name)), *map(re.escape, titles)])
    )
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    found = []
    for path in listed:
        if OUTSIDE.search(path) or not SOURCES.search(path) or not (ROOT / path).exists():
            continue
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if wanted.search(line):
                found.append(f"{path}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)
