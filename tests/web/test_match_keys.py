"""Keys in every match: the help under "?", the focus on the board, the cells around. Boards that
are only looked at are shown whole on a phone, held either way."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.matches import frame_of, solo

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True}
WHOLE = """frame => {
  const { cell, columns, rows, width, height } = frame.board.state.viewport;
  return columns * cell <= width && rows * cell <= height;
}"""


def test_keys_work_from_the_first_moment_and_are_explained(page: Page):
    solo(page)
    grid = frame_of(page).get_by_role("grid")
    expect(grid).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("n")
    said = page.locator("#announce")
    expect(said).to_contain_text("Row 4, column 5: hidden")
    assert said.inner_text().count("Row") == 8
    page.keyboard.press("?")
    help_sheet = page.get_by_role("dialog", name="Keys")
    expect(help_sheet).to_contain_text("read out the cells around this one")
    assert not serious_violations(page)
    page.keyboard.press("Escape")
    expect(help_sheet).to_have_count(0)


@pytest.mark.parametrize("screen", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_spectators_see_the_whole_board(site: RunningSite, new_context, page: Page, screen):
    address = solo(page, width=30, height=16, mines=99)
    watcher = new_context(**screen).new_page()
    watcher.goto(address)
    frame = frame_of(watcher)
    frame.get_by_role("grid").wait_for()
    assert frame.evaluate(WHOLE)
    expect(frame).to_be_in_viewport(ratio=0.98)


def test_a_phone_held_sideways_shows_board_and_buttons(new_context):
    page = new_context(**LANDSCAPE).new_page()
    solo(page, width=16, height=16, mines=40)
    expect(frame_of(page)).to_be_in_viewport(ratio=0.98)
    for name in ("Flag", "Give up", "Settings", "Fit board"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=0.98)
