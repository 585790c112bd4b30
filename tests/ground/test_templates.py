"""Templates are wrapped like code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.running_site import ROOT

APPS = ("accounts", "games", "lobby", "minesite")
WIDTH = 120


def templates() -> Iterator[Path]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.html")):
            if "node_modules" not in path.parts:
                yield path


def test_no_line_of_a_template_is_longer_than_120_characters():
    long = [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters"
        for path in templates()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert not long


def test_no_line_of_a_template_ends_with_spaces_or_is_indented_by_tabs():
    untidy = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in templates()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if line != line.rstrip() or "\t" in line
    ]
    assert not untidy
