"""Classic the way sweepers play it: restart, keys, the face, question marks, exact times."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import (
    FLAG,
    HIDDEN,
    WALL,
    at,
    click,
    dealt,
    expect_face,
    faces,
    frame_of,
    opened,
    say,
    seated,
    solo,
)

QUESTION = 21
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Milliseconds from the press of F2, or (without an old board) from the beginning of the page, to
# the board that takes clicks.
NEW_BOARD = """(old) => new Promise((done) => {
  const began = old ? performance.now() : 0;
  const look = () => {
    const frame = document.querySelector(".board-frame");
    const fresh = frame && frame !== old && frame.board?.state.enabled;
    if (fresh && document.body.dataset.link === "open") done(performance.now() - began);
    else requestAnimationFrame(look);
  };
  if (old) dispatchEvent(new KeyboardEvent("keydown", { key: "F2" }));
  look();
})"""


@pytest.fixture(scope="module")
def boards(site: RunningSite) -> list[tuple[str, str]]:
    return dealt(site, *[WALL] * 3)


@pytest.fixture
def open_board(boards, site: RunningSite, new_context):
    return lambda **options: seated(site, new_context(**options).new_page(), *boards.pop())


def another(page: Page, before: str) -> str:
    """Wait for the next game on this page; its address."""
    page.wait_for_url(lambda url: "/match/" in url and url != before)
    opened(page)
    page.wait_for_function(
        "() => document.querySelector('.board-frame')?.board.state.wanted.faces.length > 1"
    )
    assert set(faces(page)) == {HIDDEN}
    return page.url


def test_restart_by_face_and_keys(page: Page):
    solo(page)
    page.evaluate("window.same = true")
    first = page.url
    page.keyboard.press("F2")  # nothing was done: this board is as good as another
    click(page, 40)
    expect_face(page, 40, 0)
    face = page.get_by_role("button", name="New game (F2 or R)")
    face.click()
    second = another(page, first)
    click(page, 40)
    expect_face(page, 40, 0)
    page.keyboard.press("r")
    third = another(page, second)
    click(page, 40)
    expect_face(page, 40, 0)
    page.keyboard.press("F2")
    another(page, third)
    assert page.evaluate("window.same"), "the page was loaded anew"
    page.reload()
    opened(page)
    # The games that were given up are in the history, those of a fresh board are not.
    page.goto("/history/")
    expect(page.locator("table.history tbody tr")).to_have_count(3)


def test_a_new_game_is_quicker_than_loading_the_page_again(page: Page):
    solo(page)
    restarts, loads = [], []
    for _ in range(5):
        click(page, 40)
        expect_face(page, 40, 0)
        restarts.append(page.evaluate(NEW_BOARD, frame_of(page).element_handle()))
        page.reload(wait_until="commit")
        loads.append(page.evaluate(NEW_BOARD))
    # The quickest: the machine may be busy with something else now and then.
    assert min(restarts) < min(loads)


def test_hover_and_f_flags_and_a_second_press_leaves_a_question_mark(open_board):
    page = open_board()
    page.mouse.move(*at(page, 3))
    page.keyboard.press("f")
    expect_face(page, 3, FLAG)
    page.keyboard.press("f")
    expect_face(page, 3, HIDDEN)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name="Pressing a flag turns it into a question mark").check()
    page.keyboard.press("Escape")
    frame_of(page).locator("[tabindex]").first.focus()
    page.mouse.move(*at(page, 12))
    page.mouse.move(*at(page, 3))
    for face in (FLAG, QUESTION, HIDDEN, FLAG, QUESTION):
        page.keyboard.press("f")
        expect_face(page, 3, face)
    page.reload()  # a note in this tab
    opened(page)
    expect_face(page, 3, QUESTION)
    # The arrows move the cursor away from the mouse.
    page.mouse.move(*at(page, 21))
    click(page, 8)
    expect_face(page, 8, 0)
    page.keyboard.press("ArrowDown")
    shown = frame_of(page).evaluate("frame => frame.board.state.cursor")
    page.keyboard.press("f")
    assert faces(page)[21] == HIDDEN
    assert shown != 21


def test_the_time_is_told_to_the_millisecond_and_the_face_tells_the_end(open_board):
    page = open_board(**PHONE)
    click(page, 8)
    expect_face(page, 8, 0)
    expect(page.locator(".clocks .clock").first).to_have_text(re.compile(r"^\d:\d\d$"))
    for cell in (75, 0):
        click(page, cell)
    sheet = page.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("Cleared!")
    expect(sheet).to_contain_text(re.compile(r"\d:\d\d\.\d{3}"))
    expect(page.locator(".clocks .clock").first).to_have_text(re.compile(r"^\d:\d\d\.\d{3}$"))
    expect(page.locator(".face use")).to_have_attribute("href", re.compile("face-won"))
    before = page.url
    page.get_by_role("button", name="New game (F2 or R)").tap()
    another(page, before)


def test_a_board_is_remembered_and_a_game_that_was_left_is_offered_again(page: Page):
    page.goto("/play/classic/")
    page.get_by_role("radio", name=re.compile("Custom")).check(force=True)
    for name, value in (("Columns", "12"), ("Rows", "11"), ("Mines", "13")):
        page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/match/"))
    opened(page)
    address = page.url
    click(page, 40)
    expect_face(page, 40, 0)
    page.goto("/play/classic/")
    expect(page.get_by_label("Columns", exact=True)).to_have_value("12")
    expect(page.get_by_label("Mines", exact=True)).to_have_value("13")
    under_way = page.get_by_role("region", name="Pick up where you left off")
    expect(under_way).to_contain_text("12×11, 13 mines")
    page.goto("/history/")
    page.get_by_role("region", name="Pick up where you left off").get_by_role("link").click()
    page.wait_for_url(address)
    opened(page)
    expect_face(page, 40, 0)
    say(page, {"type": "solo", "options": {"width": 9, "height": 9, "mines": 10}}, "matched")
