"""The lessons can be played to their end, with nothing but the board and the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

LARGEST_CELL = 55


def press(page: Page, size: int, cell: int, how: str = "left", margin: float = 0) -> None:
    """Click a cell of the lesson's square board, which has room for labels around it, in cells."""
    surface = page.locator(".lesson-board [role=grid]")
    box = surface.bounding_box()
    assert box is not None
    # A small board does not grow without end: it stays in the middle of its frame.
    pixels = min(box["width"] / (size + 2 * margin), LARGEST_CELL)
    x, y = cell % size + 0.5 - size / 2, cell // size + 0.5 - size / 2
    position = {"x": box["width"] / 2 + x * pixels, "y": box["height"] / 2 + y * pixels}
    surface.click(position=position, button=how)


def at(page: Page, step: int | str) -> None:
    expect(page.locator("[data-lesson]")).to_have_attribute("data-step", str(step))


def finish(page: Page) -> None:
    at(page, "done")
    expect(page.get_by_role("button", name="Play for real")).to_be_visible()


def test_the_lesson_of_classic_can_be_played_to_its_end(page: Page):
    page.goto("/learn/classic/")
    at(page, 1)
    press(page, 6, 7)
    expect(page.locator(".lesson-say")).to_have_text("Start with the framed cell.")
    press(page, 6, 0)
    at(page, 2)
    press(page, 6, 10, "right")
    at(page, 3)
    press(page, 6, 4)
    at(page, 4)
    press(page, 6, 16)
    at(page, 5)
    press(page, 6, 29)
    expect(page.locator(".lesson-say")).to_contain_text("That would have been a mine.")
    for cell in (5, 35, 24, 30, 31):
        press(page, 6, cell)
    finish(page)


def test_the_lesson_of_race_can_be_played_to_its_end(page: Page):
    page.goto("/learn/race/")
    press(page, 7, 5)
    at(page, 2)
    press(page, 7, 11)
    at(page, 3)
    expect(page.locator(".lesson-say")).to_have_text("Carry on.")
    mines = {11, 19, 29, 33, 38}
    hidden = "(frame, cell) => frame.board.state.wanted.faces[cell] === 10"
    for cell in range(49):
        if cell not in mines and page.locator(".lesson-board").evaluate(hidden, cell):
            press(page, 7, cell)
    finish(page)


def test_the_lesson_of_area_attack_can_be_played_to_its_end(page: Page):
    page.goto("/learn/area-attack/")
    press(page, 10, 99)
    expect(page.locator(".lesson-say")).to_have_text("Choose the framed cell.")
    press(page, 10, 11)
    at(page, 2)
    press(page, 10, 15)
    at(page, 3)
    press(page, 10, 4, "right")
    at(page, 4)
    press(page, 10, 38)
    at(page, 5)
    press(page, 10, 38)
    finish(page)


def test_the_lesson_of_battleship_can_be_played_to_its_end(page: Page):
    page.goto("/learn/battleship/")
    press(page, 10, 0, margin=0.6)
    expect(page.locator(".lesson-say")).to_have_text("Miss.")
    at(page, 2)
    for cell in (45, 44, 46):
        press(page, 10, cell, margin=0.6)
    finish(page)


def test_a_lesson_by_keyboard(page: Page):
    page.goto("/learn/classic/")
    page.locator(".lesson-board [role=grid]").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    for _ in range(6):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    at(page, 2)


@pytest.mark.parametrize("mode", ["classic", "race", "area-attack", "battleship", "minewars"])
def test_rules_have_pictures_with_words(page: Page, mode):
    page.goto(f"/learn/{mode}/")
    pictures = page.locator("svg.picture")
    assert pictures.count() >= 1
    for picture in pictures.all():
        assert len(picture.get_attribute("aria-label") or "") > 10
