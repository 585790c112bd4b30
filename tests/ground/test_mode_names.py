"""A mode is a folder: nothing outside of it knows it by name.

Tests, benchmarks, data migrations and documents name modes freely.
"""

from __future__ import annotations

import re
import subprocess

from games.engine.registry import REGISTRY, built_in
from tests.running_site import ROOT

MAY_NAME = re.compile(
    r"^(games/modes|tests|bench|docs)/|/(migrations|tests)/|\.(md|po)$|package-lock\.json$"
)
BINARY = re.compile(r"\.(gz|png|ico|mo|woff2?|svg)$")


def spellings(name: str) -> list[str]:
    """The name as people, addresses and Python write it."""
    words = name.split("-")
    return [name, "_".join(words), " ".join(words), "".join(words)]


def test_no_mode_is_named_outside_its_folder() -> None:
    packages = built_in()
    names = [name for name in REGISTRY if REGISTRY.package(name) in packages]
    words = "|".join(re.escape(word) for name in names for word in spellings(name))
    wanted = re.compile(rf"(?<![a-z])({words})(?![a-z])", re.IGNORECASE)
    in_class_name = re.compile("|".join(name.title().replace("-", "") for name in names))
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    found = []
    for path in listed:
        if MAY_NAME.search(path) or BINARY.search(path) or not (ROOT / path).is_file():
            continue
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if wanted.search(line) or in_class_name.search(line):
                found.append(f"{path}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)
