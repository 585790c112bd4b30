"""Modes from outside, written in Python alone, are played, watched and replayed on the generic
board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.running_site import RunningSite, new_site
from tests.web.axe import serious_violations
from tests.web.matches import at, click, fingers_of, opened, together

Contexts = Callable[..., BrowserContext]
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    modes = "tests.modes.bridge,tests.modes.digs"
    running = new_site(tmp_path_factory.mktemp("site") / "var", EXTRA_MODES=modes)
    try:
        running.start()
        yield running
    finally:
        running.stop()


def cell(page: Page, number: int) -> Locator:
    return page.locator(f'[role=gridcell][data-cell="{number}"]')


def expect_cell(page: Page, number: int, face: str, owner: int | None = None) -> None:
    expect(cell(page, number)).to_have_attribute("data-face", face)
    if owner is not None:
        expect(cell(page, number)).to_have_attribute("data-owner", str(owner))


def turn_of(page: Page) -> Locator:
    return page.locator(".play-turn")


def test_two_players_connect_hexagons_and_replay_it(new_context: Contexts):
    first, second = new_context().new_page(), new_context().new_page()
    address = together(first, second, mode="bridge", size=3)
    watcher = opened_by(new_context().new_page(), address)
    expect(turn_of(first)).to_have_text("It’s your turn.")
    expect(turn_of(second)).to_contain_text("turn.")
    expect(first.locator(".match-panel")).to_contain_text("Connect top and bottom.")
    expect(watcher.locator(".match-panel")).not_to_contain_text("Connect")

    assert not serious_violations(first)
    click(second, 0)  # not their turn: nothing happens
    click(first, 0)
    for page in (first, second, watcher):
        expect_cell(page, 0, "stone", 0)
    expect(turn_of(second)).to_have_text("It’s your turn.")
    expect(cell(second, 0)).to_have_class(re.compile("is-framed"))
    click(second, 0)
    expect(second.locator(".notices")).to_contain_text("There is a stone already.")
    expect(first.locator(".player-value")).to_have_text(["1", "0"])

    # The rest by keyboard: the cursor begins in the middle, cell 4.
    cell(second, 4).focus()
    second.keyboard.press("ArrowUp")
    expect(cell(second, 1)).to_be_focused()
    second.keyboard.press("Enter")
    expect_cell(first, 1, "stone", 1)
    expect(cell(first, 1)).to_have_attribute("aria-label", re.compile("Row 1, column 2: stone, "))
    for page, number in ((first, 3), (second, 4), (first, 6)):
        click(page, number)
        expect_cell(page, number, "stone")
    sheet = first.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("You win!")
    expect(sheet).to_contain_text("Connected.")
    expect(first.locator(".match-panel")).to_contain_text("The bridge stands.")
    expect(watcher.get_by_role("dialog", name="Result")).to_contain_text("wins")

    sheet.get_by_role("link", name="Replay").click()
    expect(first.locator("#replay:not([aria-busy])")).to_be_visible()
    expect(cell(first, 6)).to_have_attribute("data-face", "stone")
    assert not serious_violations(first)
    expect(first.locator("#score-0")).to_have_text("3")
    first.get_by_role("button", name="One event back").click()
    first.get_by_role("button", name="One event back").click()
    expect(cell(first, 6)).to_have_attribute("data-face", "plain")
    for view in ("Public", "Truth"):
        first.get_by_role("button", name=view, exact=True).click()
        expect(cell(first, 3)).to_have_attribute("data-face", "stone")


def opened_by(page: Page, address: str) -> Page:
    page.goto(address)
    return opened(page)


def test_flags_are_secret_and_buttons_work(new_context: Contexts):
    first, second = new_context().new_page(), new_context(**PHONE).new_page()
    together(first, second, mode="digs")
    for page in (first, second):
        page.get_by_role("button", name="I am ready").click()
    expect(turn_of(first)).to_have_text("It’s your turn.")
    expect(cell(first, 0)).to_have_count(0)  # a gap in the board
    click(first, 8, button="right")
    expect_cell(first, 8, "flag")
    first.get_by_role("button", name="Flag", exact=True).click()
    click(first, 9)
    expect_cell(first, 9, "flag")
    first.get_by_role("button", name="Pass").click()

    expect(turn_of(second)).to_have_text("It’s your turn.")
    expect_cell(second, 8, "hidden")
    expect_cell(second, 9, "hidden")
    fingers = fingers_of(second)
    fingers("touchStart", at(second, 3))
    expect_cell(second, 3, "flag")  # a long press
    fingers("touchEnd")
    second.touchscreen.tap(*at(second, 7))
    expect(cell(second, 7)).to_have_attribute("data-owner", "1")
    expect(cell(first, 7)).to_have_attribute("data-owner", "1")
    expect_cell(first, 3, "hidden")

    first.get_by_role("button", name="Give up").click()
    first.get_by_role("dialog").get_by_role("button", name="Give up").click()
    sheet = second.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("You win!")
    expect(second.locator("[data-face=goal]")).to_have_count(1)  # the truth


def test_a_large_board_scrolls_on_a_phone(new_context: Contexts):
    first, second = new_context(**PHONE).new_page(), new_context().new_page()
    together(first, second, mode="bridge", size=15)
    expect(turn_of(first)).to_have_text("It’s your turn.")
    box = cell(first, 112).bounding_box()
    assert box is not None
    assert box["width"] > 30, "a finger hits it"
    cell(first, 112).focus()
    first.keyboard.press("Control+End")
    expect(cell(first, 224)).to_be_focused()
    expect(cell(first, 224)).to_be_in_viewport()
    first.touchscreen.tap(*at(first, 224))
    expect_cell(second, 224, "stone", 0)


def test_a_rematch_and_the_history(new_context: Contexts):
    first, second = new_context().new_page(), new_context().new_page()
    address = together(first, second, mode="bridge", size=3)
    second.get_by_role("button", name="Give up").click()
    second.get_by_role("dialog").get_by_role("button", name="Give up").click()
    for page in (first, second):
        sheet = page.get_by_role("dialog", name="Result")
        sheet.get_by_role("button", name="Again", exact=True).click()
    for page in (first, second):
        page.wait_for_url(lambda url: "/match/" in url and url != address)
        opened(page)
    expect(first.locator("[role=gridcell]")).to_have_count(9)  # the same options
    first.goto("/history/")
    expect(first.locator("#content")).to_contain_text("Bridge")
