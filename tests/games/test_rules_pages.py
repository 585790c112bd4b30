"""A page of rules tells the numbers that a match begins with, not copies of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games.engine.registry import REGISTRY
from games.views import learn
from tests.running_site import ROOT

pytestmark = pytest.mark.django_db

TOLD = {
    "race": ("penalty_seconds", "limit_seconds"),
    "area-attack": ("freeze_seconds", "lock_seconds"),
    "battleship": ("turn_seconds", "setup_seconds"),
}
"""The options whose defaults the page has."""
OTHER = 7200
"""No number of any rules, and whole minutes."""


def page_of(client: Client, mode: str) -> str:
    page = client.get(f"/learn/{mode}/").content.decode()
    rules = page[page.index('class="rules') :] if 'class="rules' in page else page
    return re.sub(r"\s+", " ", rules)


def changed(monkeypatch: pytest.MonkeyPatch, mode: str, **values: Any) -> None:
    found = {**{name: REGISTRY[name] for name in REGISTRY}}
    found[mode] = replace(found[mode], **values)
    monkeypatch.setattr(learn, "REGISTRY", found)


@pytest.mark.parametrize(("mode", "name"), [(mode, name) for mode in TOLD for name in TOLD[mode]])
def test_the_defaults_of_options(
    client: Client, monkeypatch: pytest.MonkeyPatch, mode: str, name: str
) -> None:
    options = tuple(
        replace(one, default=OTHER) if one.name == name else one for one in REGISTRY[mode].options
    )
    minutes = name == "limit_seconds"
    shown = f" {OTHER // 60 if minutes else OTHER} "
    assert shown not in page_of(client, mode)
    changed(monkeypatch, mode, options=options)
    assert shown in page_of(client, mode)


@pytest.mark.parametrize(
    ("mode", "name"), [(mode, name) for mode in REGISTRY for name in REGISTRY[mode].figures]
)
def test_the_other_figures(
    client: Client, monkeypatch: pytest.MonkeyPatch, mode: str, name: str
) -> None:
    figures = dict(REGISTRY[mode].figures)
    other = (41, 43) if isinstance(figures[name], tuple) else 4143
    changed(monkeypatch, mode, figures={**figures, name: other})
    assert re.search("41, 43" if isinstance(other, tuple) else "4143", page_of(client, mode))


@pytest.mark.parametrize("mode", REGISTRY)
def test_the_lesson_has_the_same_numbers(client: Client, mode: str) -> None:
    data = client.get(f"/learn/{mode}/").context["page_data"]
    assert data["figures"] == REGISTRY[mode].figures
    assert data["options"] == {option.name: option.default for option in REGISTRY[mode].options}
    folder = ROOT / "games/modes" / mode.replace("-", "_") / "static/modes" / mode
    texts = (folder / "lesson.js").read_text()
    assert not re.search(r"\b(two|three|five|eight|ten|\d+) (seconds|minutes)\b", texts)


def test_they_read_as_sentences(client: Client) -> None:
    areas, sea, war = (page_of(client, mode) for mode in ("area-attack", "battleship", "minewars"))
    assert "3:00, or 50% of the field claimed" in areas
    assert "blows up 7 × 7 cells" in areas
    assert "5 ships on a 10 × 10 sea, with these lengths: 5, 4, 3, 3, 2." in sea
    assert "one click overruns up to 10 empty tiles" in war
    assert "30 seconds behind" in war
