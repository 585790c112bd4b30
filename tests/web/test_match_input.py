"""Input on a board, and its feedback: chords, presses, vibration, sound."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import (
    FLAG,
    GAP,
    HIDDEN,
    WALL,
    at,
    click,
    dealt,
    expect_face,
    faces,
    fingers_of,
    frame_of,
    seated,
)

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# Vibration and sound are written down.
NOTE = """
window.buzzes = [];
window.tones = [];
window.contexts = 0;
navigator.vibrate = (ms) => window.buzzes.push(ms);
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  window.tones.push(this.type);
  return start.apply(this, at);
};
window.AudioContext = class extends AudioContext {
  constructor(...given) {
    super(...given);
    window.contexts++;
  }
};
"""


@pytest.fixture(scope="module")
def boards(site: RunningSite) -> list[tuple[str, str]]:
    return dealt(site, *[WALL] * 4)


@pytest.fixture
def open_board(boards, site: RunningSite, new_context):
    def open_next(prefs: dict | None = None, **options) -> Page:
        context = new_context(**options)
        context.add_init_script(NOTE)
        page = seated(site, context.new_page(), *boards.pop())
        set_prefs = "(frame, prefs) => Object.assign(frame.board.prefs, prefs)"
        frame_of(page).evaluate(set_prefs, prefs or {})
        click(page, 8) if not options else page.touchscreen.tap(*at(page, 8))
        expect_face(page, 8, 0)
        return page

    return open_next


def both_buttons(page: Page, cell: int) -> None:
    page.mouse.move(*at(page, cell))
    for button in ("left", "right"):
        page.mouse.down(button=button)
    for button in ("left", "right"):
        page.mouse.up(button=button)


def test_middle_and_both_buttons_chord(open_board):
    page = open_board({"chord_click": False})
    click(page, 66, button="right")
    expect_face(page, 66, FLAG)
    click(page, GAP + 1)  # switched off: a click on a number does nothing
    click(page, GAP + 1, button="middle")
    expect_face(page, GAP, 1)
    assert faces(page)[GAP - 1] == HIDDEN
    both_buttons(page, GAP)
    expect_face(page, GAP - 1, 1)
    expect_face(page, 65, 2)
    assert faces(page)[66] == FLAG  # the right button of two sets no flag


def test_chords_can_be_switched_off(open_board):
    page = open_board({"chord_middle": False, "chord_both": False, "chord_click": False})
    click(page, 66, button="right")
    expect_face(page, 66, FLAG)
    click(page, GAP + 1, button="middle")
    both_buttons(page, GAP + 1)
    click(page, GAP + 1)
    # All of them came before this one, and this one is answered.
    click(page, 57, button="right")
    expect_face(page, 57, FLAG)
    page.keyboard.press("Control+End")
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    assert faces(page)[GAP] == HIDDEN
    page.keyboard.press("c")
    expect_face(page, GAP, 1)


def test_a_press_is_as_long_as_the_player_wants_and_felt(open_board):
    page = open_board({"long_press_ms": 60_000}, **PHONE)
    fingers = fingers_of(page)
    frame = frame_of(page).element_handle()
    taps = page.evaluate("window.buzzes.length")
    fingers("touchStart", at(page, GAP))
    page.wait_for_function("frame => frame.board.state.press?.progress > 0", arg=frame)
    assert frame.evaluate("frame => frame.board.state.press.progress") < 1
    fingers("touchEnd")  # not long enough: a tap
    expect_face(page, GAP, 1)
    assert page.evaluate("window.buzzes.length") == taps + 1
    # In the settings, from now on: shorter.
    page.get_by_role("button", name="Settings").tap()
    page.get_by_label("Long-press delay").fill("150")
    page.get_by_role("button", name="Close").tap()
    fingers("touchStart", at(page, 66))
    expect_face(page, 66, FLAG)
    assert page.evaluate("window.buzzes.at(-1)") > page.evaluate("window.buzzes[0]")
    fingers("touchEnd")
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("switch", name="Vibration").uncheck()
    page.get_by_role("button", name="Close").tap()
    felt = page.evaluate("window.buzzes.length")
    fingers("touchStart", at(page, 57))
    expect_face(page, 57, FLAG)
    fingers("touchEnd")
    assert page.evaluate("window.buzzes.length") == felt


def test_sound_is_off_until_it_is_asked_for(open_board):
    page = open_board()
    click(page, 66, button="right")
    expect_face(page, 66, FLAG)
    assert page.evaluate("[window.contexts, window.tones.length]") == [0, 0]
    page.get_by_role("button", name="Sound is off").click()
    expect(page.get_by_role("button", name="Sound is on")).to_be_visible()
    assert page.evaluate("window.contexts") == 1
    first = page.evaluate("window.tones.length")
    assert first > 0  # one hears that it is on
    click(page, GAP + 1)
    expect_face(page, GAP, 1)
    page.wait_for_function("first => window.tones.length > first", arg=first)
    page.get_by_role("button", name="Sound is on").click()
    silent = page.evaluate("window.tones.length")
    click(page, GAP)
    expect_face(page, GAP - 1, 1)
    assert page.evaluate("window.tones.length") == silent
