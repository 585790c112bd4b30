"""The board of the day, from the card on the front page to the counted attempt."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.matches import faces, opened


def daily_says(page: Page, text: str) -> None:
    """A finished game is stored a moment after its end."""
    for _ in range(20):
        page.goto("/daily/")
        if page.get_by_text(text).count():
            return
    raise AssertionError(f"/daily/ does not say: {text}")


def test_one_attempt_counts_and_the_card_tells_of_it(page: Page):
    page.goto("/")
    page.get_by_role("link", name="Play today’s board").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Board of the day")
    expect(page.get_by_text("This attempt counts.")).to_be_visible()
    expect(page.get_by_text("You’ll see how the others did after")).to_be_visible()
    page.get_by_role("button", name="Play today’s board").click()
    page.wait_for_url(re.compile("/match/"), wait_until="commit", timeout=30_000)
    opened(page)
    assert len(faces(page)) == 30 * 16
    expect(page).to_have_title(re.compile("^Board of the day:"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Board of the day")
    expect(page.get_by_role("button", name="New game (F2 or R)")).to_have_count(0)
    match = page.url
    # There is one attempt: who comes back goes on with it.
    page.goto("/daily/")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(match)
    opened(page)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    sheet = page.get_by_role("dialog", name="Result")
    expect(sheet).to_contain_text("You gave up")
    expect(sheet.get_by_role("link", name="How the others did")).to_have_attribute(
        "href", "/daily/"
    )
    expect(sheet.get_by_role("button", name="Play again")).to_have_count(0)
    daily_says(page, "You didn’t clear it.")
    expect(page.get_by_text(re.compile(r"Attempts today: \d+, cleared: \d+"))).to_be_visible()
    expect(page.get_by_role("button", name="Practise on this board")).to_be_visible()
    page.goto("/")
    card = page.locator(".daily-card")
    expect(card).to_contain_text(re.compile(r"\d+ attempts? today"))
    expect(card.get_by_role("link", name="Today’s leaderboard")).to_be_visible()
