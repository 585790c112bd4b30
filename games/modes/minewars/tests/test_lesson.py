"""The lesson can be played to its end, by mouse and by keyboard."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

PICTURES = os.environ.get("TRIAL_PICTURES")
FIRST, MINE, SAFE = (-2, -2), (0, 0), (1, -1)
AROUND, LAST = ((0, 1), (1, 0)), (4, -1)

Press = Callable[[tuple[int, int], bool], None]


def step(page: Page, number: int | str) -> None:
    expect(page.locator("[data-lesson]")).to_have_attribute("data-step", str(number))


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(600)
        page.locator("[data-lesson]").screenshot(path=Path(PICTURES) / f"lesson-{name}.png")


def board_says(page: Page, expression: str, *args: int) -> dict[str, int]:
    code = f"(frame, args) => {{ const {{ board }} = frame; return {expression}; }}"
    found: dict[str, int] = page.locator(".lesson-board").evaluate(code, list(args))
    return found


def by_mouse(page: Page) -> Press:
    def press(spot: tuple[int, int], flag: bool = False) -> None:
        place = board_says(page, "board.place(board.state.topo.at(...args))", *spot)
        page.locator(".lesson-board [role=grid]").click(
            position={"x": place["x"], "y": place["y"]}, button="right" if flag else "left"
        )

    return press


def by_keyboard(page: Page) -> Press:
    here = (
        "{ x: board.state.topo.xs[board.state.cursor], y: board.state.topo.ys[board.state.cursor] }"
    )

    def press(spot: tuple[int, int], flag: bool = False) -> None:
        for _ in range(20):
            cursor = board_says(page, here)
            x, y = spot[0] - cursor["x"], spot[1] - cursor["y"]
            if not (x or y):
                break
            vertical = "ArrowDown" if y > 0 else "ArrowUp"
            page.keyboard.press(vertical if y else "ArrowRight" if x > 0 else "ArrowLeft")
        page.keyboard.press("f" if flag else "Enter")

    return press


def play(page: Page, press: Press, name: str) -> None:
    step(page, 1)
    picture(page, f"{name}-1")
    press(FIRST, False)
    step(page, 2)
    picture(page, f"{name}-2")
    press(MINE, True)
    step(page, 3)
    press(SAFE, False)
    step(page, 4)
    picture(page, f"{name}-4")
    for spot in AROUND:
        press(spot, False)
    step(page, 5)
    expect(page.locator(".lesson-say")).to_contain_text("Sold")
    press(LAST, False)
    expect(page.locator(".lesson-say")).to_contain_text("siege")
    picture(page, f"{name}-siege")
    step(page, "done")
    picture(page, f"{name}-done")
    expect(page.get_by_role("button", name="Play for real")).to_be_visible()


def test_the_lesson_can_be_played_by_mouse(page: Page):
    page.goto("/learn/minewars/")
    step(page, 1)
    press = by_mouse(page)
    press((4, -1), False)
    expect(page.locator(".lesson-say")).to_have_text("Capture the framed tile.")
    play(page, press, "light")
    page.get_by_role("button", name="Start again").click()
    step(page, 1)


def test_a_mine_stuns(page: Page):
    page.goto("/learn/minewars/")
    press = by_mouse(page)
    press(FIRST, False)
    step(page, 2)
    press(MINE, False)
    expect(page.locator(".lesson-say")).to_contain_text("A mine!")
    press(MINE, True)
    step(page, 2)
    expect(page.locator(".lesson-say")).to_have_text("Carry on.")
    press(MINE, True)
    step(page, 3)


def test_by_keyboard_on_a_dark_phone(page: Page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.goto("/learn/minewars/")
    step(page, 1)
    page.locator(".lesson-board [role=grid]").focus()
    play(page, by_keyboard(page), "phone-dark")
