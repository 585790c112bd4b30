"""Each number has one source: what different pages say of it is the same."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from games.engine.registry import REGISTRY
from tests.running_site import RunningSite, wait_for
from tests.web.matches import (
    WALL,
    become_guest,
    click,
    dealt,
    made,
    opened,
    say,
    seated,
    solo_again,
)
from tests.web.test_learn import press

PENALTY = {option.name: option.default for option in REGISTRY["race"].options}["penalty_seconds"]

OBSERVE = """() => new MutationObserver(() => {
  const seconds = document.querySelector(".freeze-seconds")?.textContent;
  if (seconds) noteSeconds(seconds);
}).observe(document.querySelector(".match-stage"),
  { childList: true, subtree: true, characterData: true })"""


def test_the_penalty_of_a_race(site: RunningSite, new_context, page: Page):
    page.goto("/learn/race/")
    rules = page.locator(".rules")
    expect(rules).to_contain_text(
        f"{PENALTY} seconds for the first, {2 * PENALTY} for the second, {3 * PENALTY} for the"
    )
    for cell in (5, 11):
        press(page, 7, cell)
    expect(page.locator(".lesson-say")).to_contain_text(f"Locked for {PENALTY} seconds.")

    options = {**WALL["options"], "no_guess": False}
    game = {**WALL, "mode": "race", "kinds": ["guest", "guest"], "options": options}
    [(address, keys)] = made(site, game)
    players = [seated(site, new_context().new_page(), address, key) for key in keys]
    for player in players:
        player.get_by_role("button", name="I’m ready").click()
    first = players[0]
    expect(first.locator("#match")).to_have_attribute("data-phase", "live")
    first.wait_for_function("() => document.querySelector('.board-frame').board.state.enabled")
    shown: list[str] = []
    first.expose_function("noteSeconds", lambda seconds: shown.append(seconds))
    first.evaluate(OBSERVE)
    click(first, WALL["mines"][0])
    expect(first.locator(".notices")).to_contain_text(f"You’re locked for {PENALTY} s.")
    wait_for(lambda: (first.evaluate("0"), shown)[1], what="the countdown of the penalty")
    assert max(int(re.sub(r"\D", "", seconds)) for seconds in shown) == PENALTY


def test_a_game_lost_on_a_mine(site: RunningSite, page: Page):
    [(address, key)] = dealt(site, WALL)
    seated(site, page, address, key)
    click(page, WALL["start"])
    click(page, WALL["mines"][0])
    expect(page.get_by_role("dialog", name="Result")).to_contain_text("Game over")
    page.get_by_role("dialog", name="Result").get_by_role("link", name="Replay").click()
    card = page.locator("#analysis")
    expect(card.get_by_role("row", name=re.compile("Mines hit"))).to_contain_text("1")
    survival = card.get_by_role("row", name=re.compile("Chance of surviving"))
    expect(survival).not_to_contain_text(re.compile(r"100\s*%"))


def counted(page: Page, name: str) -> int:
    return int(page.locator(f"[data-count={name}] b").inner_text())


def test_the_counts_of_the_front_page(site: RunningSite, new_context, page: Page):
    alone, ann, bob = (new_context().new_page() for _ in range(3))
    become_guest(alone)
    solo_again(alone)
    for player in (ann, bob):
        become_guest(player)
    # One right after the other: nobody's page has to be there for long.
    for player in (ann, bob):
        wish = {"mode": "race", "size": 2, "preset": "beginner"}
        say(player, {"type": "queue", "wishes": [wish]}, "queued")
    for player in (ann, bob):
        player.wait_for_url("**/match/**", wait_until="commit")
        opened(player)
    page.goto("/")
    rows = page.locator("#live-list li")
    mine = rows.filter(has_text=ann.locator("html").get_attribute("data-user") or "-")
    expect(mine).to_have_count(1)
    wait_for(
        lambda: counted(page, "public") == rows.count() and counted(page, "playing") >= 3,
        what="counts and list to agree",
    )
    assert counted(page, "playing") <= counted(page, "online")
    # The server's page says what the socket says.
    page.reload(wait_until="commit")
    expect(mine).to_have_count(1)
    assert counted(page, "public") == rows.count()
