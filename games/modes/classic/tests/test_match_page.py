"""Classic for one, by mouse, keyboard and touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import (
    FLAG,
    GAP,
    HIDDEN,
    STRUCK,
    WALL,
    at,
    click,
    dealt,
    expect_face,
    faces,
    fingers_of,
    frame_of,
    opened,
    saves,
    seated,
    solo,
)


@pytest.fixture(scope="module")
def boards(site: RunningSite) -> list[tuple[str, str]]:
    return dealt(site, *[WALL] * 3)


@pytest.fixture
def open_board(boards, site: RunningSite, new_context):
    return lambda **options: seated(site, new_context(**options).new_page(), *boards.pop())


def test_a_game_by_mouse_is_won_and_played_again(open_board):
    page = open_board()
    click(page, 8)
    expect_face(page, 8, 0)
    assert faces(page)[0] == HIDDEN
    click(page, 66, button="right")
    expect_face(page, 66, FLAG)
    click(page, GAP + 1)  # a number that has its flag: the rest around it opens
    expect_face(page, GAP, 1)
    assert faces(page)[0] == HIDDEN
    click(page, 0)
    sheet = page.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("Cleared!")
    expect(sheet).to_contain_text("3BV")
    before = page.url
    sheet.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/match/" in url and url != before)
    opened(page)


def test_a_game_by_keyboard_alone_with_words_for_each_cell(open_board):
    page = open_board()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "grid":
            break
    grid = page.get_by_role("grid")
    expect(grid).to_be_focused()
    expect(grid).to_have_attribute("aria-rowcount", "9")

    def current() -> str:
        return page.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
            ".textContent"
        )

    def says(text: str) -> None:
        page.wait_for_function(
            "text => document.getElementById("
            "document.activeElement.getAttribute('aria-activedescendant'))?.textContent === text",
            arg=text,
        )

    assert current().startswith("Row 5, column 5")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowUp")
    says("Row 1, column 9: hidden, start here")
    page.keyboard.press("Space")
    says("Row 1, column 9: empty")
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    says("Row 1, column 4: hidden")
    page.keyboard.press("f")
    says("Row 1, column 4: flag")
    page.keyboard.press("Enter")  # a flag protects its cell
    says("Row 1, column 4: flag")
    page.keyboard.press("f")
    says("Row 1, column 4: hidden")
    page.keyboard.press("Enter")
    says("Row 1, column 4: exploded mine")
    expect(page.get_by_role("dialog", name="Result")).to_contain_text("Game over")
    expect(page.get_by_role("button", name="Play again")).to_be_focused()


def test_touch_taps_presses_long_pinches_and_has_a_flag_button(open_board):
    page = open_board(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page.touchscreen.tap(*at(page, 8))
    expect_face(page, 8, 0)
    fingers = fingers_of(page)
    fingers("touchStart", at(page, 39))
    frame = frame_of(page).element_handle()
    page.wait_for_function("frame => frame.board.state.press?.progress > 0", arg=frame)
    expect_face(page, 39, FLAG)  # while the finger is still down
    fingers("touchEnd")
    flag = page.get_by_role("button", name="Flag")
    flag.tap()
    expect(flag).to_have_attribute("aria-pressed", "true")
    page.touchscreen.tap(*at(page, 0))
    expect_face(page, 0, FLAG)
    flag.tap()
    before = frame.evaluate("frame => frame.board.state.viewport.cell")
    x, y = at(page, 40)
    fingers("touchStart", (x - 40, y), (x + 40, y))
    fingers("touchMove", (x - 90, y), (x + 90, y))
    fingers("touchEnd")
    assert frame.evaluate("frame => frame.board.state.viewport.cell") > before
    page.touchscreen.tap(*at(page, 39))  # a flag protects its cell
    page.touchscreen.tap(*at(page, 31))
    assert page.evaluate("document.documentElement.scrollWidth - screen.width") <= 0
    assert STRUCK not in faces(page)


def test_giving_up_asks_first(page: Page):
    solo(page, width=9, height=9, mines=10)
    page.get_by_role("button", name="Give up").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Keep playing")).to_be_focused()
    dialog.get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog", name="Result")).to_contain_text("You gave up")


def test_choices_are_kept_with_the_account(page: Page):
    solo(page, width=9, height=9, mines=10)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Flash colour").select_option("blue")
    page.get_by_role("switch", name="Animations").uncheck()
    page.get_by_role("button", name="Close").click()
    with page.expect_response(saves("sound")):
        page.get_by_role("button", name="Sound is off").click()
    page.evaluate("localStorage.clear()")  # a guest is an account, too
    page.reload()
    opened(page)
    prefs = frame_of(page).evaluate("frame => frame.board.prefs")
    assert (prefs["flash_colour"], prefs["animations"], prefs["sound"]) == ("blue", False, True)
