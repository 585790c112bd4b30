"""The settings in a match: those that matter in it, on this device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.running_site import RunningSite
from tests.web.devices import DESKTOP, PORTRAIT
from tests.web.matches import made, opened, seated

DUO = ["guest", "guest"]
ISLAND = {"radius": 14, "cities": 3, "ban_seconds": 0, "limit_seconds": 600}
ALWAYS = {"Animations", "Sound", "Volume"}
HIT = {"Flash on a mine or a hit", "Flash colour"}
COLOURS = {"Player colours", "Patterns on areas"}
TWO = COLOURS | {"Chat"}
FIELD = {
    "Click a number to open around it",
    "Flag button",
    "Pressing a flag turns it into a question mark",
}
MOUSE = {
    "Middle-click a number to open around it",
    "Press left and right together to open around a number",
}
FINGER = {"Vibration", "Long-press delay"}
ASK = "On a touch screen, ask before a strike or a building"
HINTS = "Hints in the first matches"

# mode, players, options, whether a finger plays -> what can be chosen
CASES: list[tuple[str, list[str], dict[str, Any], bool, set[str]]] = [
    ("classic", ["guest"], {}, False, ALWAYS | HIT | FIELD | MOUSE),
    ("classic", ["guest"], {}, True, ALWAYS | HIT | FIELD | FINGER),
    ("race", DUO, {}, False, ALWAYS | HIT | FIELD | MOUSE | TWO),
    ("area-attack", DUO, {}, True, ALWAYS | HIT | FIELD | FINGER | TWO),
    ("battleship", DUO, {}, False, ALWAYS | HIT | TWO),
    ("battleship", DUO, {}, True, ALWAYS | HIT | TWO | {"Vibration"}),
    ("minewars", DUO, ISLAND, False, ALWAYS | HIT | TWO | {HINTS}),
    ("minewars", DUO, ISLAND, True, ALWAYS | HIT | TWO | FINGER | {HINTS, ASK}),
]

LABELS = """dialog => [...dialog.querySelectorAll("label")].map((label) =>
  [...label.childNodes].find((node) => node.nodeType === 3).data.trim())"""


@pytest.mark.parametrize(("mode", "kinds", "options", "finger", "wanted"), CASES)
def test_only_what_applies_is_offered(
    site: RunningSite,
    new_context: Callable[..., BrowserContext],
    mode: str,
    kinds: list[str],
    options: dict[str, Any],
    finger: bool,
    wanted: set[str],
) -> None:
    source = "solo" if len(kinds) == 1 else "queue"
    game = {"mode": mode, "kinds": kinds, "options": options, "source": source}
    address, sessions = made(site, game)[0]
    page = new_context(**(PORTRAIT if finger else DESKTOP)).new_page()
    seated(site, page, address, sessions[0])
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog).to_be_visible()
    assert set(dialog.evaluate(LABELS)) == wanted


def test_a_spectator_sets_nothing_for_players(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    game = {"mode": "race", "kinds": DUO, "options": {}}
    address, sessions = made(site, game)[0]
    for key in sessions:
        seated(site, new_context().new_page(), address, key)
    page = new_context(**DESKTOP).new_page()
    page.goto(address)
    opened(page)
    page.get_by_role("button", name="Settings").click()
    found = page.get_by_role("dialog", name="Settings").evaluate(LABELS)
    assert set(found) == ALWAYS | TWO
