"""A race between two browsers with a watcher, and what the pages show of each other."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.running_site import RunningSite
from tests.web.matches import (
    HIDDEN,
    STRUCK,
    click,
    faces,
    frame_of,
    made,
    opened,
    say,
    seated,
    together,
)


def test_a_race_from_ready_to_the_win_by_surrender(new_context):
    ann, bob, eve = (new_context().new_page() for _ in range(3))
    address = together(
        ann, bob, mode="race", width=9, height=9, mines=35, no_guess=False, penalty_seconds=30
    )
    expect(ann.get_by_role("group", name="Ready?")).to_contain_text(
        "starts when everybody is ready"
    )
    ann.get_by_role("button", name="I’m ready").click()
    expect(ann.get_by_role("group", name="Ready?")).to_contain_text("Waiting for the others")
    expect(bob.get_by_role("group", name="Ready?")).to_contain_text("Your opponent is ready.")
    eve.goto(address)
    opened(eve)
    bob.locator(".cover").click(position={"x": 5, "y": 5})  # the board, beside the button
    for page in (ann, bob, eve):
        for number in ("3", "2", "1"):
            expect(page.locator(".countdown")).to_have_text(number)
            if page is not eve:
                break  # the others' seconds go by meanwhile
    expect(ann.locator(".countdown")).to_have_count(0)
    expect(eve.get_by_text("Boards stay hidden")).to_be_visible()
    assert eve.locator(".board-frame").count() == 0
    ann.wait_for_function("frame => frame.board.state.enabled", arg=frame_of(ann).element_handle())
    # Many mines: soon one is struck. That locks the player, and the others see it.
    for cell in [cell for cell, face in enumerate(faces(ann)) if face == HIDDEN]:
        click(ann, cell)
        ann.wait_for_function(
            "([frame, cell]) => frame.board.state.wanted.faces[cell] !== 10",
            arg=[frame_of(ann).element_handle(), cell],
        )
        if faces(ann)[cell] == STRUCK:
            break
    expect(ann.locator(".freeze")).to_contain_text("Locked")
    expect(bob.locator(".player").first).to_contain_text("locked")
    expect(eve.locator(".player").first).to_contain_text("locked")
    # Nothing of her board is in his page.
    assert STRUCK not in faces(bob)
    ann.reload()
    opened(ann)
    assert STRUCK in faces(ann)
    bob.get_by_role("button", name="Give up").click()
    bob.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(ann.get_by_role("dialog", name="Result")).to_contain_text("You win!")
    expect(eve.get_by_role("dialog", name="Result")).to_contain_text("wins")
    expect(eve.get_by_role("button", name="Again")).to_have_count(0)
    # A player who looks at something else is asked there.
    bob.goto("/learn/")
    ann.get_by_role("button", name="Again").click()
    expect(bob.locator(".toast")).to_contain_text("wants to play again")
    bob.get_by_role("button", name="Decline").click()
    expect(ann.locator(".again-note")).to_contain_text("declined the rematch")
    expect(ann.get_by_role("button", name="Again")).to_be_disabled()
    # The queue calls from every page: a result, a replay.
    bob.goto(address)
    for page in (ann, bob):
        wish = {"mode": "race", "size": 2, "preset": "beginner"}
        say(page, {"type": "queue", "wishes": [wish]}, "queued")
    for page in (ann, bob):
        page.wait_for_url(lambda url: "/match/" in url and url != address, wait_until="commit")


# Another connection of the same player, which then leaves on purpose.
LEAVE = """(address) => new Promise((done, failed) => {
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send('{"type":"hello","version":1}');
  socket.onmessage = () => {
    socket.send('{"type":"leave"}');
    socket.close();
    done();
  };
  socket.onerror = failed;
})"""


def test_the_win_is_claimed_when_the_other_is_gone_and_counts(site: RunningSite, new_context):
    options = {"width": 9, "height": 9, "mines": 10, "no_guess": False}
    game = {"mode": "race", "kinds": ["registered"] * 2, "rated": True, "options": options}
    address, sessions = made(site, game)[0]
    ann, bob = (seated(site, new_context().new_page(), address, key) for key in sessions)
    for page in (ann, bob):
        page.get_by_role("button", name="I’m ready").click()
    ann.locator("#match[data-phase=live]").wait_for()
    ann.wait_for_function("frame => frame.board.state.enabled", arg=frame_of(ann).element_handle())
    # A match counts once it was really played: three moves a seat.
    hidden = [cell for cell, face in enumerate(faces(ann)) if face == HIDDEN][:6]
    for cell in hidden:
        click(ann, cell, button="right")
    for cell in hidden:
        ann.wait_for_function(
            "([frame, cell]) => frame.board.state.wanted.faces[cell] === 11",
            arg=[frame_of(ann).element_handle(), cell],
        )
    claim = ann.get_by_role("button", name="Claim the win")
    expect(claim).to_be_hidden()
    bob.evaluate(LEAVE, f"ws://127.0.0.1:{site.port}/ws{address}")
    expect(ann.locator(".notices")).to_contain_text("left the page")
    expect(ann.locator(".player").nth(1)).to_contain_text("away")
    expect(claim).to_be_visible(timeout=40_000)  # the grace after leaving is 10 s
    claim.click()
    result = ann.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("You win!")
    mine, other = result.locator("tr.mine-own"), result.locator("tr:not(.mine-own)")
    expect(mine.locator(".rating-change .rose")).to_have_text(re.compile(r"^\+\d+$"))
    expect(other.locator(".rating-change .fell")).to_have_text(re.compile(r"^−\d+$"))
