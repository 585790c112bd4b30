"""Area Attack on a small board with short stages, between two browsers and a watcher."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.line import Line
from tests.web.matches import (
    HIDDEN,
    at,
    click,
    expect_face,
    faces,
    fingers_of,
    frame_of,
    made,
    mines_of,
    opened,
    seated,
    together,
)

OPTIONS = {
    "size": 16,
    "density": 0.3,
    "pick_seconds": 60,
    "freeze_seconds": 4,
    "attack_radius": 1,
    "attack_at_seconds": 11,
    "attack_at_claimed": 1,
    "lock_at_seconds": 18,
    "lock_at_claimed": 1,
    "lock_seconds": 3,
}


def strike(page: Page, mines: set[int]) -> None:
    """Claim a mine beside one's own ground."""
    seen = faces(page)
    own = [divmod(cell, 16) for cell, face in enumerate(seen) if face <= 8]
    near = {
        (y + dy) * 16 + x + dx
        for y, x in own
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
        if 0 <= y + dy < 16 and 0 <= x + dx < 16
    }
    click(page, min(cell for cell in near & mines if seen[cell] == HIDDEN))


def test_a_match_through_freeze_attack_and_lock(site: RunningSite, new_context):
    game = {"mode": "area-attack", "kinds": ["guest", "guest"], "options": OPTIONS}
    address, sessions = made(site, game)[0]
    ann, bob, eve = (new_context().new_page() for _ in range(3))
    told: list[str] = []
    eve.on("websocket", lambda ws: ws.on("framereceived", lambda data: told.append(str(data))))
    eve.goto(address)
    opened(eve)
    for page, key in zip((ann, bob), sessions, strict=True):
        seated(site, page, address, key)
    starts(ann, bob)

    # Spectators are told that they see it later.
    expect(eve.locator(".match-head")).to_contain_text("watching, 4 seconds behind")
    assert '"delay":4000' in told[0]

    # Stage 1: own numbers, the other's colour; a mine freezes.
    expect_face(ann, 51, 0)
    expect_face(bob, 51, 15)
    expect_face(eve, 51, 15)
    mines = mines_of(site, address)
    strike(ann, mines)
    expect(ann.locator(".freeze")).to_contain_text("Frozen")
    expect(bob.locator(".player").first).to_contain_text("frozen")
    expect(ann.locator(".freeze")).to_be_hidden()
    expect(ann.locator(".notices")).to_contain_text("You’re back")
    for height in (800, 480):  # in a low window the side scrolls; no line is cut
        ann.set_viewport_size({"width": 1280, "height": height})
        assert (
            ann.locator(".notices").evaluate("list => list.scrollHeight - list.clientHeight") <= 0
        )
    ann.set_viewport_size({"width": 1280, "height": 720})

    # Stage 2: a mine lays the ground anew.
    expect(bob.locator(".stage-line .is-now")).to_have_text("Attack")
    strike(bob, mines)
    expect(bob.locator(".notices")).to_contain_text("cells were reset")
    # Stage 3, the end, and the result.
    expect(ann.locator(".stage-line .is-now")).to_have_text("Lock")
    assert not any(re.search(r'"numbers":\[\d', frame) for frame in told if '"over"' not in frame)
    assert not [face for face in faces(eve) if face <= 8]
    for page in (ann, bob, eve):
        expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    expect(ann.get_by_role("dialog", name="Result")).to_contain_text("Time’s up")
    expect(eve.locator(".match-head")).not_to_contain_text("behind")
    assert [face for face in faces(eve) if face <= 8]  # now everything is disclosed


def starts(ann: Page, bob: Page) -> None:
    """Pick, see the forbidden distance, try it, confirm."""
    click(ann, 51)
    shaded = "frame => frame.board.state.marks.shaded"
    bob.wait_for_function(
        "frame => frame.board.state.marks.shaded?.length > 0", arg=frame_of(bob).element_handle()
    )
    assert 51 in frame_of(bob).evaluate(shaded)
    assert 204 not in frame_of(bob).evaluate(shaded)
    click(bob, 52)
    expect(bob.locator(".notices")).to_contain_text(
        re.compile("Too close to the start of (?!player)")
    )
    click(bob, 204)
    for page in (ann, bob):
        page.get_by_role("button", name="Start here").click()


def test_the_field_fits_a_phone_and_can_be_panned(new_context):
    ann = new_context().new_page()
    bob = new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    phone = bob.new_page()
    together(ann, phone, mode="area-attack", size=40, pick_seconds=300)
    frame = frame_of(phone).element_handle()
    fingers = fingers_of(phone)

    def cell_size() -> float:
        return phone.evaluate("frame => frame.board.place(0).size", frame)

    # Time to pick one sees the whole field; two fingers come nearer, one drags.
    assert 40 * cell_size() <= 390
    x, y = at(phone, 820)
    fingers("touchStart", (x - 30, y), (x + 30, y))
    fingers("touchMove", (x - 90, y), (x + 90, y))
    fingers("touchEnd")
    assert cell_size() >= 19
    x, y = at(phone, 820)
    fingers("touchStart", (x, y))
    fingers("touchMove", (x - 60, y - 30))
    fingers("touchMove", (x - 120, y - 60))
    fingers("touchEnd")
    moved = at(phone, 820)
    assert moved[0] < x - 80
    assert moved[1] < y - 30
    picks = "frame => frame.board.state.marks.pins"
    assert phone.evaluate(picks, frame) == []  # a drag is not a tap
    seen = phone.evaluate("frame => frame.board.cellAt(180, 180)", frame)
    phone.touchscreen.tap(*at(phone, seen))
    phone.wait_for_function(
        "([frame, cell]) => frame.board.state.marks.pins[0]?.cell === cell", arg=[frame, seen]
    )


def test_of_two_claims_on_one_cell_the_later_one_is_explained(site: RunningSite, new_context):
    options = {"size": 16, "density": 0.25, "pick_seconds": 300, "freeze_seconds": 1}
    options |= {"attack_at_seconds": 350, "attack_at_claimed": 1, "lock_at_claimed": 1}
    game = {"mode": "area-attack", "kinds": ["guest", "guest"], "options": options}
    address, sessions = made(site, game)[0]
    ann, bob = (new_context().new_page() for _ in range(2))
    line = Line(ann)
    for page, key in zip((ann, bob), sessions, strict=True):
        seated(site, page, address, key)
    starts(ann, bob)
    expect_face(ann, 51, 0)
    expect_face(ann, 204, 15)
    # News reach her late: she still sees a hidden cell that is his. Where he meets a mine instead,
    # they try another one.
    for cell in [cell for cell, face in enumerate(faces(ann)) if face == HIDDEN]:
        if faces(ann)[cell] != HIDDEN:
            continue
        his = frame_of(bob).element_handle()
        bob.wait_for_function("frame => frame.board.state.enabled", arg=his)
        line.hold()
        click(bob, cell)
        bob.wait_for_function(
            "([frame, cell]) => frame.board.state.wanted.faces[cell] !== 10", arg=[his, cell]
        )
        if faces(bob)[cell] <= 8:
            break
        line.release()
    assert faces(ann)[cell] == HIDDEN
    click(ann, cell)
    line.until(lambda: any('"refused"' in str(data) for data in line.held or []))
    line.release()
    name = bob.locator(".player-name").nth(1).inner_text()
    expect(ann.locator(".notices")).to_contain_text(f"{name} got there first")
    expect_face(ann, cell, 15)
