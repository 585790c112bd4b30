"""Templates are wrapped like code, and addresses of pages are not written by hand."""

from __future__ import annotations

import ast
import re
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


ADDRESS = re.compile(
    r"/(accounts|admin|analyse|api|bots|daily|history|invite|leaderboard|learn|match|play|privacy"
    r"|puzzles|report|stats|teams|tournaments|watch)(/|$)|/@"
)
"""The beginning of a page's address, which is written once, in a urls.py."""


def test_templates_name_views_instead_of_addresses():
    by_hand = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in templates()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"""["']/(?!>)""", line)
    ]
    assert not by_hand, "use {% url %} or get_absolute_url"


def test_python_names_views_instead_of_addresses():
    by_hand = []
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if {"tests", "migrations", "node_modules"} & set(path.parts) or path.name == "urls.py":
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                text = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
                if isinstance(text, str) and ADDRESS.match(text):
                    by_hand.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text}")
    assert not by_hand, "use reverse() or get_absolute_url"
