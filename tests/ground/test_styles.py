"""Every rule of every style sheet is in a layer, and a mode's rules are in the mode's folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.engine.registry import modes
from tests.running_site import ROOT

APPS = ("accounts", "games", "lobby", "minesite")
SHEETS = sorted(
    path for app in APPS for path in (ROOT / app).rglob("*.css") if "node_modules" not in path.parts
)
SHARED = [path for path in SHEETS if (ROOT / "games" / "modes") not in path.parents]
ORDER = ("tokens", "base", "layout", "components", "pages", "modes", "utilities")
ADMIN = ("django", "admin")
"""The admin's pages are Django's and load none of the site's sheets."""


def without_comments(sheet: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)


def outermost(text: str) -> Iterator[str]:
    """The text before the { or ; of everything outside of blocks."""
    depth, start = 0, 0
    for at, sign in enumerate(text):
        if sign == "{" or (sign == ";" and not depth):
            if not depth:
                yield text[start:at].strip()
                start = at + 1
            depth += sign == "{"
        elif sign == "}":
            depth -= 1
            start = at + 1
    assert depth == 0, "a block is not closed"


def name_of(sheet: Path) -> str:
    return str(sheet.relative_to(ROOT))


@pytest.mark.parametrize("sheet", SHEETS, ids=name_of)
def test_every_rule_is_in_a_layer(sheet):
    for prelude in outermost(without_comments(sheet)):
        if sheet.name == "lists.css":
            continue  # Django's sheet for lists is in no layer, so neither is what overrides it
        # @property declares a custom property and can't be overridden.
        assert re.match(r"@(layer|property)\b|@import\b.*\blayer\(", prelude), prelude


def test_the_order_of_the_layers_is_declared_once():
    declared = {
        name_of(sheet): found
        for sheet in SHEETS
        if (found := re.findall(r"@layer ([\w\s,]+);", without_comments(sheet)))
    }
    assert declared == {
        "minesite/static/site/tokens.css": [", ".join(ORDER)],
        "games/static/games/admin/django.css": [", ".join(ADMIN)],
    }
    used = {
        layer
        for sheet in SHEETS
        for layer in re.findall(r"@layer (\w+) \{", without_comments(sheet))
    }
    assert used <= {*ORDER, *ADMIN}


@pytest.mark.parametrize("template", ["base.html", "bare.html"])
def test_the_order_of_the_layers_is_the_first_thing_a_page_loads(template):
    text = (ROOT / "minesite" / "templates" / template).read_text()
    assert re.findall(r"static '([\w/.-]+\.css)'", text)[0] == "site/tokens.css"


@pytest.mark.parametrize("sheet", SHARED, ids=name_of)
def test_shared_sheets_name_no_mode(sheet):
    names = "|".join(re.escape(mode.name) for mode in modes())
    assert not re.search(rf"(?<![\w-])({names})(?![\w-])", sheet.read_text(), re.IGNORECASE)


@pytest.mark.parametrize("sheet", sorted(set(SHEETS) - set(SHARED)), ids=name_of)
def test_the_sheet_of_a_mode_is_in_the_layer_of_modes(sheet):
    assert set(re.findall(r"@layer (\w+)", without_comments(sheet))) == {"modes"}


def test_no_rule_needs_to_be_important():
    assert [name_of(sheet) for sheet in SHEETS if "!important" in without_comments(sheet)] == []
