"""A whole match of Battleship between two browsers, and the rematch."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.matches import at, click, expect_face, frame_of, opened, together

SEA, MISS, HIT, SUNK = 17, 18, 19, 20
THEIRS, OWN = 0, 1


def ships(page: Page) -> list[dict]:
    return frame_of(page, OWN).evaluate("frame => frame.board.state.ships")


def cells(ship: dict) -> list[int]:
    step = 10 if ship["vertical"] else 1
    return [ship["cell"] + i * step for i in range(ship["length"])]


def bomb(page: Page, cell: int) -> None:
    expect(page.locator(".sea-figure").first).to_contain_class("is-target")
    click(page, cell, THEIRS)


def test_a_full_match_with_placement_and_rematch(new_context):
    ann, bob = new_context().new_page(), new_context().new_page()
    address = together(ann, bob, mode="battleship", turn_seconds=60)
    placing(ann)
    target = {cell for ship in ships(ann) for cell in cells(ship)}
    assert len(target) == 17
    for page in (ann, bob):
        page.get_by_role("button", name="Confirm fleet").click()
    sea = {cell for ship in ships(bob) for cell in cells(ship)}
    water = [cell for cell in range(100) if cell not in sea]
    # Seat 0 attacks first, and misses; seat 1 knows where to aim.
    for count, cell in enumerate(sorted(target)):
        bomb(ann, water[count])
        expect_face(bob, water[count], MISS, OWN)
        bomb(bob, cell)
        if count < 16:
            ann.wait_for_function(
                "([frame, cell]) => frame.board.state.wanted.faces[cell] >= 19",
                arg=[frame_of(ann, OWN).element_handle(), cell],
            )
    expect(bob.get_by_role("dialog", name="Result")).to_contain_text("You win!")
    expect(ann.get_by_role("dialog", name="Result")).to_contain_text("wins")
    expect_face(ann, min(target), SUNK, OWN)
    # Now both fleets are shown.
    assert {cell for ship in ships(bob) for cell in cells(ship)} == sea
    shown = frame_of(ann, THEIRS).evaluate("frame => frame.board.state.ships")
    assert {cell for ship in shown for cell in cells(ship)} == sea

    ann.get_by_role("button", name="Again").click()
    expect(bob.locator(".again-note")).to_contain_text("wants to play again")
    bob.get_by_role("button", name="Again").click()
    for page in (ann, bob):
        page.wait_for_url(lambda url: "/match/" in url and url != address)
        opened(page)
    assert ann.url == bob.url
    expect(ann.get_by_role("button", name="Confirm fleet")).to_be_visible()


def placing(page: Page) -> None:
    """Drag a ship, turn one, see what is not possible, use the keyboard."""
    page.get_by_role("button", name="Shuffle").click()
    ghost = "frame => frame.board.state.marks.ghost"
    frame = frame_of(page, OWN)
    first, second = ships(page)[:2]
    page.mouse.move(*at(page, first["cell"], OWN))
    page.mouse.down()
    page.mouse.move(*at(page, second["cell"], OWN), steps=4)
    assert frame.evaluate(ghost)["good"] is False
    page.mouse.up()
    assert ships(page)[0] == first  # it went back
    # With the keyboard: take the first ship, look for a place for it, put it down there.
    page.get_by_role("grid").nth(OWN).focus()
    page.keyboard.press("Control+Home")
    for _ in range(first["cell"] % 10):
        page.keyboard.press("ArrowRight")
    for _ in range(first["cell"] // 10):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert frame.evaluate(ghost)["length"] == 5
    page.keyboard.press("r")
    assert frame.evaluate(ghost)["vertical"] is not first["vertical"]
    page.keyboard.press("Escape")
    assert frame.evaluate(ghost) is None


def room_for_labels(page: Page, board: int) -> float:
    """CSS pixels between the edge of the drawing and the first cell, above it and on its left."""
    return frame_of(page, board).evaluate(
        "({ board: { state: { viewport: v } } }) => Math.min(v.x, v.y) / v.ratio"
    )


def test_a_watcher_sees_bombs_and_no_fleet(new_context):
    ann, bob = (new_context().new_page() for _ in range(2))
    eve = new_context(viewport={"width": 360, "height": 740}, is_mobile=True).new_page()
    address = together(ann, bob, mode="battleship")
    frames: list[str] = []
    eve.on("websocket", lambda ws: ws.on("framereceived", lambda data: frames.append(str(data))))
    eve.goto(address)
    opened(eve)
    expect(eve.locator(".sea-figure").first).to_be_visible()
    assert eve.evaluate("document.documentElement.scrollWidth - screen.width") <= 0
    for page in (ann, bob):
        page.get_by_role("button", name="Confirm fleet").click()
    for page, board in ((ann, THEIRS), (ann, OWN), (eve, 0)):
        assert room_for_labels(page, board) > 8
    water = [c for c in range(100) if c not in {x for s in ships(bob) for x in cells(s)}]
    bomb(ann, water[0])
    expect_face(eve, water[0], MISS, 1)  # seat 1's sea is the second one for a watcher
    assert not re.search(r'"placed"|"fleet":\[', " ".join(frames))
    expect(ann.get_by_title("Spectators")).to_have_text("1")
    expect(eve.get_by_role("button", name="Give up")).to_be_hidden()
