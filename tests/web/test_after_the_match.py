"""After a match: what ended it, what to do next, and with whom. The board stays in sight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.matches import made, opened, seated, solo, together

SCREENS = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "landscape": {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True},
}
SMALL: dict[str, Any] = {"width": 9, "height": 9, "mines": 10, "no_guess": False}

COVERED = """(frame) => {
  const box = frame.getBoundingClientRect();
  const points = [0.05, 0.5, 0.95].flatMap((x) => [0.05, 0.5, 0.95].map((y) => [x, y]));
  return points.filter(([x, y]) => {
    const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return !frame.contains(top);
  });
}"""


WHOLE = """(frame) => {
  const { x, y, cell, columns, rows, width, height } = frame.board.state.viewport;
  return x >= -1 && y >= -1 && x + columns * cell <= width + 1 && y + rows * cell <= height + 1;
}"""


def result_of(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Result")


def give_up(page: Page) -> None:
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()


def name_of(page: Page) -> str:
    return page.locator("html").get_attribute("data-user") or ""


@pytest.fixture
def two(new_context) -> tuple[Page, Page]:
    ann, bob = (new_context(reduced_motion="reduce").new_page() for _ in range(2))
    together(ann, bob, mode="race", **SMALL)
    for page in (ann, bob):
        page.get_by_role("button", name="I’m ready").click()
    for page in (ann, bob):
        expect(page.locator("#match")).to_have_attribute("data-phase", "live")
    return ann, bob


def test_reasons_speak_to_the_reader(two):
    ann, bob = two
    give_up(bob)
    expect(result_of(bob)).to_contain_text("You gave up.")
    expect(result_of(ann)).to_contain_text(f"{name_of(bob)} gave up.")
    expect(result_of(ann)).to_contain_text("You win!")


def test_nobody_can_decline_before_being_asked(two):
    ann, bob = two
    give_up(bob)
    for page in (ann, bob):
        expect(result_of(page).get_by_role("button", name="Again")).to_be_enabled()
        expect(result_of(page).get_by_role("button", name="Decline")).to_be_hidden()
    result_of(ann).get_by_role("button", name="Again").click()
    expect(bob.locator(".again-note")).to_contain_text(f"{name_of(ann)} wants to play again!")
    result_of(bob).get_by_role("button", name="Decline").click()
    expect(bob.locator(".again-note")).to_have_text("You declined the rematch.")
    expect(ann.locator(".again-note")).to_have_text(f"{name_of(bob)} declined the rematch.")
    expect(result_of(ann).get_by_role("button", name="Again")).to_be_disabled()


def test_a_player_who_left_is_known(two):
    ann, bob = two
    name = name_of(bob)
    give_up(bob)
    expect(result_of(ann).get_by_role("button", name="Again")).to_be_enabled()
    bob.context.close()
    expect(ann.locator(".again-note")).to_have_text(f"{name} has left.", timeout=8_000)
    expect(result_of(ann).get_by_role("button", name="Again")).to_be_disabled()


def test_a_new_opponent_is_sought_for_the_same_kind_of_match(site: RunningSite, new_context):
    options = {"width": 16, "height": 16, "mines": 40}
    game = {"mode": "race", "kinds": ["registered"] * 2, "rated": True, "options": options}
    [(address, keys)] = made(site, game)
    ann, bob = (new_context().new_page() for _ in keys)
    for page, key in zip((ann, bob), keys, strict=True):
        seated(site, page, address, key)
    for page in (ann, bob):
        page.get_by_role("button", name="I’m ready").click()
    expect(ann.locator("#match")).to_have_attribute("data-phase", "live")
    give_up(bob)
    with ann.expect_navigation(url=re.compile("/play/race/")):
        result_of(ann).get_by_role("link", name="New opponent").click()
    expect(ann.locator("#waiting")).to_be_visible()
    waiting = site.python(
        "import asyncio\n"
        "from lobby import queue\n"
        "from games import redis\n"
        "async def look():\n"
        "    found = [(w.mode, w.size, w.rated, w.preset)\n"
        "             for ticket in await queue.waiting() for w in ticket.wishes]\n"
        "    await redis.close()\n"
        "    return found\n"
        "print(asyncio.run(look()))"
    )
    assert waiting.strip() == "[('race', 2, True, 'intermediate')]"
    ann.get_by_role("button", name=re.compile("Leave the queue|Cancel")).first.click()


def test_an_opponent_is_challenged_or_blocked_with_one_tap(two):
    ann, bob = two
    give_up(bob)
    name = name_of(bob)
    others = ann.get_by_role("list", name="The other players")
    others.get_by_role("button", name=f"Challenge {name}").click()
    expect(others).to_contain_text(f"You challenged {name}.")
    expect(bob.locator(".toast")).to_contain_text(f"{name_of(ann)} challenges you to Race.")
    bob.locator(".toast").get_by_role("button", name="Decline").click()
    expect(others).to_contain_text(f"{name} declined your challenge.")
    block = others.get_by_role("button", name=f"Block {name}")
    block.click()
    expect(block).to_have_attribute("aria-pressed", "true")
    expect(others).to_contain_text(f"You won’t be matched with {name} again.")
    expect(others.get_by_role("button", name=f"Challenge {name}")).to_be_disabled()
    block.click()
    expect(block).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_result_never_hides_the_board(new_context, screen, theme):
    page = new_context(color_scheme=theme, reduced_motion="reduce", **SCREENS[screen]).new_page()
    solo(page)
    give_up(page)
    expect(result_of(page)).to_contain_text("You gave up.")
    frame = page.locator(".board-frame")
    expect(frame).to_be_in_viewport(ratio=0.98)
    assert frame.evaluate(COVERED) == []
    page.wait_for_function(WHOLE, arg=frame.element_handle())
    assert frame.bounding_box()["height"] > 120
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Said once: what an account brings.
    expect(result_of(page).get_by_role("link", name="Create account")).to_be_visible()
    assert not serious_violations(page)
    before = page.url
    result_of(page).get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: "/match/" in url and url != before)
    opened(page)
    give_up(page)
    expect(result_of(page)).to_be_visible()
    expect(result_of(page).get_by_role("link", name="Create account")).to_have_count(0)


def test_a_result_is_shared_as_a_link_and_as_a_picture(new_context):
    context = new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    solo(page)
    give_up(page)
    result_of(page).get_by_role("button", name="Share link").click()
    expect(page.locator(".toast")).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    with page.expect_download() as download:
        result_of(page).get_by_role("button", name="Save picture").click()
    picture = download.value.path().read_bytes()
    assert download.value.suggested_filename == "minesite.png"
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(picture[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (1200, 630)
