"""Hints on the match page."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.bots.solver import Solver, rectangle
from tests.running_site import RunningSite
from tests.web.matches import GAP, WALL, click, dealt, expect_face, faces, frame_of, seated

# The wall without its gap: only the number of mines tells that nothing is behind it.
CLOSED: dict[str, Any] = {
    "mines": [*WALL["mines"], GAP],
    "start": WALL["start"],
    "options": {**WALL["options"], "mines": 9},
}


def test_a_hint_is_asked_for_shown_and_explained(page: Page):
    page.goto("/play/classic/")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="Keep thinking").click()
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="Show a hint").click()
    expect(page.get_by_text("Start at row 5, column 5. It’s safe.").first).to_be_visible()
    expect(page.get_by_role("button", name="Show me why")).to_be_hidden()


@pytest.fixture(scope="module")
def boards(site: RunningSite) -> dict[str, tuple[str, str]]:
    return dict(zip(("open", "closed"), dealt(site, WALL, CLOSED), strict=True))


def marked(page: Page) -> dict[str, list[int]]:
    """The framed cells and the shaded ones."""
    marks = frame_of(page).evaluate("frame => frame.board.state.marks")
    return {
        "framed": [frame["cell"] for frame in marks.get("frames") or []],
        "shaded": sorted(marks.get("shaded") or []),
    }


def ask(page: Page, text: str) -> None:
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="Show a hint").click()
    expect(page.get_by_text(text).first).to_be_visible()


def proves(numbers: dict[int, int], opened: list[int], cell: int, mines: int | None) -> bool:
    """Do these numbers alone, of all the open cells, prove the cell safe?"""
    prior = {"density": 0.2} if mines is None else {"mines": mines}
    solver = Solver(rectangle(9, 9), **prior)
    for other in opened:
        solver.mark_safe(other)
    for number, shown in numbers.items():
        solver.reveal(number, shown)
    solver.analyse()
    return cell in solver.safe


def test_the_numbers_that_prove_a_cell_are_shown(
    boards: dict[str, tuple[str, str]], site: RunningSite, new_context
):
    page = seated(site, new_context().new_page(), *boards["open"])
    click(page, WALL["start"])
    expect_face(page, WALL["start"], 0)
    ask(page, "row 9, column 4 is safe.")
    assert marked(page) == {"framed": [GAP], "shaded": []}

    page.get_by_role("button", name="Show me why").click()
    expect(page.get_by_text("The shaded numbers prove it.").first).to_be_visible()
    why = marked(page)
    assert why["framed"] == [GAP]
    # The 3 beside the wall makes the mine above the gap certain, which is all that the 1 or the 2
    # next to the gap needs.
    shown = faces(page)
    opened = [cell for cell, face in enumerate(shown) if face <= 8]
    numbers = {cell: shown[cell] for cell in why["shaded"]}
    assert len(numbers) == 2
    assert set(numbers) <= set(opened)
    assert proves(numbers, opened, GAP, None)
    for left_out in numbers:
        fewer = {cell: n for cell, n in numbers.items() if cell != left_out}
        assert not proves(fewer, opened, GAP, None)

    click(page, GAP)  # the hint is old
    expect_face(page, GAP, 1)
    expect(page.get_by_role("button", name="Show me why")).to_be_hidden()
    assert marked(page) == {"framed": [], "shaded": []}


def test_a_proof_may_need_the_number_of_mines(
    boards: dict[str, tuple[str, str]], site: RunningSite, new_context
):
    page = seated(site, new_context().new_page(), *boards["closed"])
    click(page, CLOSED["start"])
    expect_face(page, CLOSED["start"], 0)
    ask(page, "is safe.")
    page.get_by_role("button", name="Show me why").click()
    text = "The shaded numbers and the number of mines left prove it."
    expect(page.get_by_text(text).first).to_be_visible()
    why, shown = marked(page), faces(page)
    opened = [cell for cell, face in enumerate(shown) if face <= 8]
    numbers = {cell: shown[cell] for cell in why["shaded"]}
    [cell] = why["framed"]
    assert cell % 9 < 3
    assert proves(numbers, opened, cell, 9)
    assert not proves(numbers, opened, cell, None)
