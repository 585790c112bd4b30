"""Everything that can be pressed is large enough, on every page and in every mode's match: 24
pixels anywhere, 44 for a finger that plays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.running_site import RunningSite
from tests.web.devices import ALL, LANDSCAPE
from tests.web.matches import frame_of, made, seated
from tests.web.test_accessibility import OPEN, OWN

ANYWHERE = 24
FINGER = 44
MODES = ("classic", "race", "area-attack", "battleship", "minewars")
PAGES = [*OPEN, "/leaderboard/minewars/", "/api/v1/docs", "/no-such-page/"]
OWN_PAGES = [*OWN, "/accounts/2fa/", "/report/"]

# A link in a sentence is as high as its line (WCAG 2.5.8 leaves those out); the label of a box is
# pressed with it; a field that can't be seen is no target.
SMALL = """([least, link]) => {
  const pressed = "a[href], button, summary, select, textarea, input:not([type=hidden]), " +
    "[role=button], [role=switch], [role=tab], [role=menuitem], [role=grid][tabindex='0']";
  const inSentence = (one) => one.matches("a") && getComputedStyle(one).display === "inline" &&
    [...one.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll(pressed)].flatMap((one) => {
    const target = one.matches("[type=checkbox], [type=radio]") ? one.closest("label") ?? one : one;
    const seen = { checkOpacity: true, checkVisibilityCSS: true };
    const { x, y, width, height } = target.getBoundingClientRect();
    const aside = width <= 1 || height <= 1 || y + scrollY + height <= 0;
    if (aside || !target.checkVisibility(seen) || inSentence(one)) return [];
    // Halves of pixels come and go with the font.
    const enough = (one.matches("a:not(.button)") ? link : least) - 0.5;
    if (width >= enough && height >= enough) return [];
    return [`${one.outerHTML.slice(0, 90)} ${Math.round(width)} x ${Math.round(height)}`];
  });
}"""

ISLAND = {"radius": 14, "cities": 3, "limit_seconds": 600}
GAMES: dict[str, dict[str, Any]] = {
    "classic": {"kinds": ["guest"], "source": "solo", "options": {}},
    "race": {"options": {}},
    "area-attack": {"options": {}},
    "battleship": {"options": {}},
    "minewars": {"options": {**ISLAND, "ban_seconds": 60}},
    "minewars, begun": {"options": {**ISLAND, "ban_seconds": 0}},
}


def small(page: Page, least: int) -> list[str]:
    """What is smaller; a link that leads elsewhere needs no more than anywhere."""
    found: list[str] = page.evaluate(SMALL, [least, ANYWHERE])
    return found


@pytest.mark.parametrize("device", ALL)
def test_every_target_of_every_page(
    new_context: Callable[..., BrowserContext],
    complaints: list[str],
    cookie: dict[str, str],
    replays: list[str],
    device: str,
) -> None:
    stranger, member = (
        new_context(**ALL[device], reduced_motion="reduce").new_page() for _ in range(2)
    )
    member.context.add_cookies([cookie])
    found = {}
    for page, paths in ((stranger, PAGES), (member, [*OWN_PAGES, *replays])):
        for path in paths:
            page.goto(path, wait_until="load")
            if path.startswith("/match/"):
                page.wait_for_selector("#replay:not([aria-busy])")
            if less := small(page, ANYWHERE):
                found[path] = less
    complaints[:] = [one for one in complaints if "404" not in one]  # the page that isn't there
    assert not found, json.dumps(found, indent=1)


@pytest.mark.parametrize("device", ALL)
@pytest.mark.parametrize("game", GAMES)
def test_every_target_of_a_match(
    site: RunningSite, new_context: Callable[..., BrowserContext], device: str, game: str
) -> None:
    wanted = {"mode": game.partition(",")[0], "kinds": ["guest", "guest"], **GAMES[game]}
    address, sessions = made(site, wanted)[0]
    pages = [new_context(**ALL[device]).new_page() for _ in sessions]
    for page, key in zip(pages, sessions, strict=True):
        seated(site, page, address, key)
    if game == "race":
        assert small(pages[0], ANYWHERE if device == "desktop" else FINGER) == [], "the ready check"
        for page in pages:
            page.get_by_role("button", name="I’m ready").click()
    page = pages[0]
    least = ANYWHERE if device == "desktop" else FINGER
    assert small(page, least) == []
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    assert small(page, least) == [], "settings"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Give up").click()
    sure = page.get_by_role("dialog").get_by_role("button", name="Give up")
    expect(sure).to_be_visible()
    assert small(page, least) == [], "the question"
    sure.click()
    expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    assert small(page, least) == [], "the result"


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_held_sideways_shows_the_board_and_the_buttons(
    site: RunningSite, new_context: Callable[..., BrowserContext], game: str
) -> None:
    wanted = {"mode": game.partition(",")[0], "kinds": ["guest", "guest"], **GAMES[game]}
    address, sessions = made(site, wanted)[0]
    pages = [new_context(**LANDSCAPE).new_page() for _ in sessions]
    for page, key in zip(pages, sessions, strict=True):
        seated(site, page, address, key)
    page = pages[0]
    expect(page.locator(".toolbar")).to_be_visible()
    # Cities can be voted for on the map, too: their list may go on.
    decide = ".toolbar button, .war-tools, .setup-panel button:not(.small), .small:first-child"
    for button in page.locator(decide).all():
        if button.is_visible():
            expect(button).to_be_in_viewport(ratio=0.99)
    board = frame_of(page, 1 if game == "battleship" else 0)  # to place a fleet: the own sea
    expect(board).to_be_in_viewport(ratio=0.99)
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > 0.6 * 375
