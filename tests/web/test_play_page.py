"""The pages of queues: by keyboard, between two people, by link and by name."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import made

MATCH = re.compile(r"/match/[a-z0-9]{12}/$")


def as_guest(page: Page, path: str) -> str:
    """Sign in as a new guest, open the page and return the name."""
    page.goto("/accounts/guest/")
    page.locator("main").get_by_role("button", name="Play as a guest").click()
    page.goto(path)
    return str(page.evaluate("document.documentElement.dataset.user"))


def test_queueing_by_keyboard_waiting_and_leaving(page: Page):
    page.goto("/play/race/")
    page.locator("input[name=bot]").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Find a match")).to_be_focused()
    page.keyboard.press("Enter")
    panel = page.locator("#waiting")
    expect(panel).to_be_visible()
    expect(panel).to_be_focused()
    expect(page.locator("#queue")).to_be_hidden()
    expect(page.locator("#waiting-time")).to_have_text(re.compile(r"0:0[1-9]"))
    page.reload()
    expect(panel).to_be_visible()
    page.get_by_role("button", name="Leave the queue").click()
    expect(panel).to_be_hidden()
    expect(page.locator("#queue")).to_be_visible()


def test_two_people_find_each_other(new_context):
    one, two = new_context().new_page(), new_context().new_page()
    for page in (one, two):
        page.goto("/play/battleship/")
        page.get_by_label("Let a bot join right away").uncheck()
        page.get_by_role("button", name="Find a match").click()
    one.wait_for_url(MATCH)
    two.wait_for_url(MATCH)
    assert one.url == two.url


def test_a_bot_can_be_taken_while_waiting(page: Page):
    page.goto("/play/race/")
    page.get_by_label("Let a bot join right away").uncheck()
    page.get_by_role("radio", name="Beginner").check(force=True)
    page.get_by_role("button", name="Find a match").click()
    page.get_by_role("button", name="Play against a bot").click()
    page.wait_for_url(MATCH)


def test_an_invitation_by_link(new_context):
    host, guest = new_context().new_page(), new_context().new_page()
    host.goto("/play/area-attack/")
    host.get_by_text("Invite friends with a link").click()
    host.get_by_label("Field", exact=True).select_option("20")
    host.get_by_role("button", name="Create link").click()
    host.wait_for_url("**/invite/**")
    expect(host.get_by_text("Field: small, 20 × 20")).to_be_visible()
    guest.goto(host.get_by_label("Link").input_value())
    guest.get_by_role("button", name="Join as a guest").click()
    guest.wait_for_url(MATCH)
    host.wait_for_url(guest.url)


def test_a_challenge_by_name(new_context):
    asker, asked = new_context().new_page(), new_context().new_page()
    name = as_guest(asked, "/learn/")
    as_guest(asker, "/play/battleship/")
    asker.get_by_text("Challenge a player").click()
    asker.get_by_label("Name").fill("Nobody-At-All")
    asker.get_by_role("button", name="Challenge", exact=True).click()
    expect(asker.locator("#challenge-state")).to_have_text("No player has that name.")
    asker.get_by_label("Name").fill(name)
    asker.get_by_role("button", name="Challenge", exact=True).click()
    expect(asker.locator("#challenge-state")).to_contain_text("Waiting for an answer")
    asked.get_by_role("button", name="Accept").click()
    asked.wait_for_url(MATCH)
    asker.wait_for_url(asked.url)


def test_minewars_can_be_played_and_watched(site: RunningSite, page: Page):
    page.goto("/play/minewars/")
    expect(page.get_by_role("heading", level=1)).to_have_text("MineWars")
    expect(page.get_by_text("no board in the browser yet")).to_have_count(0)
    game = {"mode": "minewars", "kinds": ["guest", "guest"], "options": {}}
    page.goto(made(site, game)[0][0])
    expect(page.get_by_role("grid", name="Map")).to_be_visible()
    expect(page.locator(".player-name")).to_have_count(2)


def test_a_board_of_ones_own(page: Page):
    page.goto("/play/classic/")
    expect(page.get_by_label("Columns")).to_be_hidden()
    page.get_by_text("Custom", exact=False).first.click()
    page.get_by_label("Columns").fill("12")
    page.get_by_label("Rows").fill("10")
    page.get_by_role("spinbutton", name="Mines").fill("12")
    expect(page.locator("#density")).to_have_text("10% of the cells are mines.")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(MATCH)
    data = page.evaluate("JSON.parse(document.getElementById('page-data').textContent)")
    assert data["match"]["options"]["width"] == 12
    assert data["match"]["options"]["mines"] == 12
