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
    click(first, 5, button="right")  # there is no second action
    click(first, 0)
    for page in (first, second, watcher):
        expect_cell(page, 0, "stone", 0)
    expect(turn_of(second)).to_have_text("It’s your turn.")
    expect(cell(second, 0)).to_have_class(re.compile("is-framed"))
    expect_cell(second, 5, "plain")
    expect(cell(first, 0).locator(".stone-hatch")).to_have_attribute("fill", re.compile("url"))
    click(second, 0)
    expect(second.locator(".notices")).to_contain_text("There is a stone already.")
    expect(first.locator(".player-value")).to_have_text(["1", "0"])

    # The rest by keyboard: the cursor begins in the middle, cell 4.
    cell(second, 4).focus()
    second.keyboard.press("ArrowUp")
    expect(cell(second, 1)).to_be_focused()
    second.keyboard.press("Enter")
    expect_cell(first, 1, "stone", 1)
    expect(second.locator(".notices")).not_to_contain_text("stone")  # the refusal is gone
    expect(cell(first, 1)).to_have_attribute("aria-label", re.compile("Row 1, column 2: stone, "))
    for page, number in ((first, 3), (second, 4), (first, 6)):
        click(page, number)
        expect_cell(page, number, "stone")
    sheet = first.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("You win!")
    expect(sheet).to_contain_text("Connected.")
    expect(first.locator(".match-panel")).to_contain_text("The bridge stands.")
    expect(first.locator(".player-value")).to_have_text(["1", "0"])  # the final scores
    expect(watcher.get_by_role("dialog", name="Result")).to_contain_text("wins")

    sheet.get_by_role("link", name="Replay").click()
    expect(first.locator("#replay:not([aria-busy])")).to_be_visible()
    expect(cell(first, 6)).to_have_attribute("data-face", "stone")
    assert not serious_violations(first)
    expect(first.locator("#score-0")).to_have_text("1")
    first.get_by_role("button", name="One event back").click()
    first.get_by_role("button", name="One event back").click()
    expect(cell(first, 6)).to_have_attribute("data-face", "plain")
    expect(first.locator("#score-0")).to_have_text("2")
    expect(first.locator("#caption")).to_have_text(
        re.compile(r". moves\. Row 2, column 1: stone\.$")
    )
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
        page.get_by_role("button", name="I’m ready").click()
    expect(turn_of(first)).to_have_text("It’s your turn.")
    expect(cell(first, 0)).to_have_count(0)  # a gap in the board
    expect(turn_of(second)).to_contain_text("turn.")
    place = board_box(second)
    click(first, 8, button="right")
    expect_cell(first, 8, "flag")
    first.get_by_role("button", name="Flag", exact=True).click()
    click(first, 9)
    expect_cell(first, 9, "flag")
    first.get_by_role("button", name="Pass").click()

    expect(turn_of(second)).to_have_text("It’s your turn.")
    expect_cell(second, 8, "hidden")
    expect_cell(second, 9, "hidden")
    assert board_box(second) == place, "the buttons came without moving the board"
    fingers = fingers_of(second)
    fingers("touchStart", at(second, 3))
    expect_cell(second, 3, "flag")  # a long press
    fingers("touchEnd")
    second.touchscreen.tap(*at(second, 7))
    expect(cell(second, 7)).to_have_attribute("data-owner", "1")
    expect(cell(first, 7)).to_have_attribute("data-owner", "1")
    expect_cell(first, 3, "hidden")
    expect(second.get_by_role("button", name="Pass")).to_be_disabled()
    assert board_box(second) == place, "the buttons wait for the next turn"

    # A cell on which nobody can dig any more: the page itself says so.
    first.get_by_role("button", name="Dig", exact=True).click()
    expect(cell(first, 9)).to_have_class(re.compile("is-legal"))
    expect(cell(first, 7)).not_to_have_class(re.compile("is-legal"))
    expect(cell(first, 9)).to_have_attribute("aria-label", "Row 2, column 4: flag, legal move")
    click(first, 7)
    expect(first.locator(".notices")).to_contain_text("You can’t do that on this cell.")
    expect(first.locator(".player-value")).to_have_text(["0", "?"])
    first.get_by_role("button", name="Give up").click()
    first.get_by_role("dialog").get_by_role("button", name="Give up").click()
    sheet = second.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("You win!")
    expect(second.locator("[data-face=goal]")).to_have_count(1)  # the truth
    expect(first.locator(".notices")).not_to_contain_text("You can’t")
    for page in (first, second):  # no longer a secret
        expect(page.locator(".player-value")).to_have_text(["0", "0"])
        expect(page.get_by_role("dialog", name="Result")).not_to_contain_text("?")

    sheet.get_by_role("link", name="Replay").click()
    expect(second.locator("#replay:not([aria-busy])")).to_be_visible()
    second.get_by_role("button", name="Public", exact=True).click()
    expect(second.locator("#score-1")).to_have_text("0")
    second.get_by_role("button", name="One event back").click()
    expect(second.locator("#score-1")).to_have_text("?")
    second.get_by_role("button", name="Truth", exact=True).click()
    expect(second.locator("#score-1")).to_have_text("1")


def board_box(page: Page) -> Any:
    return page.locator(".cells").bounding_box()


def test_a_desktop_offers_to_zoom(new_context: Contexts):
    first, second = new_context().new_page(), new_context().new_page()
    together(first, second, mode="bridge", size=15)
    before = board_box(first)
    first.get_by_role("button", name="Zoom in").click()
    assert board_box(first)["width"] > before["width"]
    first.get_by_role("button", name="Fit board").click()
    assert board_box(first) == before


def test_the_play_page_of_a_mode_without_pictures_and_lesson(page: Page):
    page.goto("/play/bridge/")
    mini = page.locator(".play-side [data-mini=bridge]")
    expect(mini.locator(".point").first).to_be_attached()
    expect(mini.locator("text")).to_have_count(0)
    rules = page.get_by_role("link", name="All rules")
    expect(rules).to_have_attribute("href", "/learn/bridge/")


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
