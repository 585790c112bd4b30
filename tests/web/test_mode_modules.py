"""A page loads the modules of its own mode and of no other."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, expect

from games.engine.mode import PARTS, Mode
from games.engine.registry import MODES, modes
from tests.web.matches import solo, together

SUFFIXES = {"style": ".css"}
MODULE = re.compile(r"^/static/modes/([^/]+)/")


def modes_asked_for(page: Page) -> set[str]:
    """The modes whose files the page that is open has requested."""
    urls = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    return {found[1] for url in urls if (found := MODULE.match(urlsplit(url).path))}


@pytest.mark.parametrize("mode", modes(), ids=lambda mode: mode.name)
def test_a_mode_says_which_parts_it_has(mode: Mode):
    found = {
        part
        for part in PARTS - {"rules"}
        if finders.find(f"modes/{mode.name}/{part}{SUFFIXES.get(part, '.js')}")
    }
    assert mode.parts - {"rules"} == found


def test_the_match_page_of_a_game_for_one(page: Page):
    solo(page)
    assert modes_asked_for(page) == {"classic"}


@pytest.mark.parametrize("mode", ["race", "area-attack", "battleship", "minewars"])
def test_a_match_page_loads_the_modules_of_its_mode_alone(mode: str, new_context):
    ann, bob = (new_context().new_page() for _ in range(2))
    together(ann, bob, mode=mode)
    assert modes_asked_for(ann) == {mode}


@pytest.mark.parametrize("mode", ["classic", "race", "area-attack", "battleship", "minewars"])
def test_a_lesson_loads_the_modules_of_its_mode_alone(mode: str, page: Page):
    page.goto(f"/learn/{mode}/")
    expect(page.locator("[data-lesson]")).to_have_attribute("data-step", "1")
    assert modes_asked_for(page) == {mode}


def test_the_front_page_loads_only_the_miniature_boards(page: Page):
    page.goto("/")
    expect(page.locator("[data-mini] svg")).to_have_count(len(MODES) + 1)
    urls = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name)")
    names = {urlsplit(url).path.split("/")[-1] for url in urls if "/static/modes/" in url}
    assert {name.split(".")[0] for name in names} == {"mini"}


def test_a_match_page_asks_for_all_its_imports_at_once(page: Page):
    address = solo(page)
    found = page.request.get(address).text()
    for module in ("modes/classic/match", "modes/classic/fold", "modes/classic/picture"):
        assert re.search(rf'<link rel="modulepreload" href="/static/{module}[.\w]*\.js">', found)


def test_every_page_tells_the_titles_of_the_modes_in_its_language(page: Page):
    title = "async () => (await import('games/modes.js')).modeTitle('area-attack')"
    page.goto("/")
    assert page.evaluate(title) == "Area Attack"
