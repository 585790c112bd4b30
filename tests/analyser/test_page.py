"""The page in a browser: painting, pasting, proofs, links, on a desktop and on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import ALL_RULES, COLOURS, serious_violations

READY = "#analyser:not([aria-busy])"


def start(page: Page, position: str = "") -> None:
    page.goto(f"/analyse/?position={position}" if position else "/analyse/")
    page.wait_for_selector(READY)


def title(page: Page, text: str) -> None:
    expect(page.locator("#analyser-title")).to_have_text(text)


def test_a_position_of_the_keyboard_is_answered_and_shared(page: Page) -> None:
    start(page)
    title(page, "Open row 3, column 4")
    page.get_by_label("Columns").fill("3")
    page.get_by_label("Rows", exact=True).fill("2")
    page.locator("#analyser-mines").fill("1")
    page.get_by_role("button", name="Clear board").click()
    title(page, "You have to guess")
    board = page.locator("#analyser-board [role=grid]")
    board.focus()
    for key in ("Control+Home", "1", "ArrowRight", "1", "ArrowRight", "0"):
        board.press(key)
    title(page, "Open row 2, column 2")
    expect(page.locator("#analyser-result")).to_contain_text("The shaded number proves it.")
    assert page.url.endswith("?position=3x2x1-1b0Hc")
    board.press("Control+z")
    board.press("Control+z")
    title(page, "Open row 1, column 3")
    page.reload()
    page.wait_for_selector(READY)
    assert page.url.endswith("?position=3x2x1-1He")
    page.get_by_label("Mines", exact=True).first.fill("5")
    page.get_by_label("Mines", exact=True).first.press("Tab")
    title(page, "This can’t be a board")
    expect(page.locator("#analyser-result")).to_contain_text("leave room for")


def test_a_cell_is_explained_from_the_list_and_from_the_board(page: Page) -> None:
    start(page, "2x2x1-Hb1b")
    title(page, "You have to guess")
    expect(page.locator("#analyser-result")).to_contain_text("Chance to win with perfect play")
    rows = page.locator("#analyser-list tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("50%")
    page.get_by_role("button", name="Row 1, column 2").click()
    expect(page.locator("#analyser-caption")).to_contain_text("Nothing proves it either way.")
    grid = page.locator("#analyser-board [role=grid]")
    expect(grid.get_by_text("Row 1, column 2: hidden, 50% mine")).to_be_attached()
    heat = page.evaluate("document.querySelector('#analyser-board').board.state.marks.heat")
    assert heat == [{"cell": 0, "chance": 0.5}, {"cell": 1, "chance": 0.5}]
    page.get_by_label("Probabilities").uncheck()
    assert page.evaluate("document.querySelector('#analyser-board').board.state.marks.heat") == []


def test_text_is_pasted_or_refused_with_a_sentence(page: Page, complaints: list[str]) -> None:
    start(page)
    text = page.get_by_label("Rows of cells, or a link’s code")
    text.fill("3x1x1\n#@#")
    page.get_by_role("button", name="Read text").click()
    expect(page.get_by_role("alert").first).to_contain_text("“@” in row 1, column 2 isn’t a cell.")
    complaints.clear()  # the browser notes the refusal (409) in its console
    text.fill("3x1x2\n#1#")
    page.get_by_role("button", name="Read text").click()
    title(page, "This can’t be a board")
    expect(page.locator("#analyser-board [role=grid]")).to_have_attribute("aria-colcount", "3")


def test_a_broken_link_shows_the_example(page: Page, complaints: list[str]) -> None:
    page.goto("/analyse/?position=nonsense@")
    page.wait_for_selector(READY)
    expect(page.get_by_text("This link doesn’t lead to a position")).to_be_visible()
    complaints.clear()  # the page's status is 400


def test_a_drag_paints_cells(page: Page) -> None:
    start(page, "4x4x2-Hp")
    page.get_by_role("button", name="Paint the number 1").click()
    board = page.locator("#analyser-board")
    places = board.evaluate("holder => [0, 1, 2].map((cell) => holder.board.place(cell))")
    box = board.bounding_box()
    assert box is not None
    for i, place in enumerate(places):
        page.mouse.move(box["x"] + place["x"], box["y"] + place["y"])
        if i == 0:
            page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**/analyse/?position=4x4x2-1cHm")


@pytest.mark.parametrize(("theme", "rules"), [("light", ALL_RULES), ("dark", COLOURS)])
def test_a_phone_has_room_for_it_and_axe_is_content(new_context, theme, rules) -> None:
    page = new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True,
        color_scheme=theme, reduced_motion="reduce",
    ).new_page()  # fmt: skip
    start(page)
    title(page, "Open row 3, column 4")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not serious_violations(page, rules)


def test_a_moment_of_a_replay_opens_here(page: Page, site: RunningSite) -> None:
    match = site.python("from tests.web import finished\nprint(finished.ALL['classic']())").strip()
    page.goto(f"/match/{match}/#t=0&view=0")
    page.wait_for_selector("#replay:not([aria-busy])")
    page.locator("#forward").click()
    page.get_by_role("link", name="Analyse this position").click()
    page.wait_for_url("**/analyse/?position=*")
    page.wait_for_selector(READY)
    expect(page.locator("#analyser-list tbody tr")).not_to_have_count(0)
