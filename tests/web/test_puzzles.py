"""Puzzles: one answer, the reasons, the next puzzle; the storm; with mouse, finger and keyboard."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import COLOURS, serious_violations
from tests.web.devices import DESKTOP, PORTRAIT


def solution(site: RunningSite, puzzle: int) -> list[int]:
    return json.loads(
        site.python(
            "from games.puzzles.answers import solution\n"
            "from games.puzzles.models import Puzzle\n"
            f"print(solution(Puzzle.objects.get(pk={puzzle})))"
        )
    )


def press(page: Page, frame: str, cell: int) -> None:
    """Click a cell, wherever the board has placed it."""
    place = page.evaluate(
        "([frame, cell]) => document.querySelector(frame).board.place(cell)", [frame, cell]
    )
    page.locator(f"{frame} [role=grid]").click(position={"x": place["x"], "y": place["y"]})


def asked(page: Page, do: str = "") -> dict:
    """The puzzle that the page asks for while something is done."""
    with page.expect_response(re.compile("/puzzles/next/")) as answer:
        page.get_by_role("button", name=do).click() if do else page.goto("/puzzles/")
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "asking")
    return answer.value.json()


def test_a_player_solves_one_misses_one_and_votes(new_context, cookie, site):
    context = new_context(**DESKTOP)
    context.add_cookies([cookie])
    page = context.new_page()
    puzzle = asked(page)
    expect(page.locator(".puzzle-question")).to_have_text(re.compile("^Find "))
    right = solution(site, puzzle["id"])
    press(page, ".puzzle-board", right[0])
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "right")
    expect(page.locator(".puzzle-why")).to_contain_text("Your puzzle rating:")
    expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    page.get_by_role("button", name="Good puzzle").click()
    expect(page.get_by_role("button", name="Good puzzle")).to_have_attribute("aria-pressed", "true")
    following = asked(page, "Next puzzle")
    assert following["id"] != puzzle["id"]
    right = solution(site, following["id"])
    hidden = [c for c, shown in enumerate(following["cells"]) if shown == "."]
    press(page, ".puzzle-board", next(c for c in hidden if c not in right))
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "wrong")
    expect(page.locator(".puzzle-why p").first).not_to_be_empty()
    assert not serious_violations(page)


def test_the_keyboard_alone_is_enough(page: Page, site):
    puzzle = asked(page)
    cell = solution(site, puzzle["id"])[0]
    page.locator(".puzzle-board [role=grid]").focus()
    for key, count in (("ArrowLeft", 12), ("ArrowUp", 12)):
        for _ in range(count):
            page.keyboard.press(key)
    for key, count in (
        ("ArrowDown", cell // puzzle["width"]),
        ("ArrowRight", cell % puzzle["width"]),
    ):
        for _ in range(count):
            page.keyboard.press(key)
    page.keyboard.press("Space")
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "right")
    expect(page.locator("#announce-now")).not_to_be_empty()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "asking")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_storm_counts_on_a_phone(new_context, site, theme):
    page = new_context(**PORTRAIT, color_scheme=theme, reduced_motion="reduce").new_page()
    page.goto("/puzzles/storm/")
    with page.expect_response(re.compile("/storm/start/")) as begun:
        page.get_by_role("button", name="Start").click()
    puzzle = begun.value.json()["puzzle"]
    expect(page.locator(".storm-clock")).to_have_text(re.compile("^[23]:"))
    press(page, ".storm-board", solution(site, puzzle["id"])[0])
    expect(page.locator(".storm-score")).to_have_text("1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not serious_violations(page, COLOURS)


def test_the_puzzle_of_the_day_fits_a_phone(new_context):
    page = new_context(**PORTRAIT, reduced_motion="reduce").new_page()
    page.goto("/puzzles/daily/")
    expect(page.locator("#puzzle")).to_have_attribute("data-state", "asking")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not serious_violations(page)
