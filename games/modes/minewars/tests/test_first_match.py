"""From the front page to a match against a bot."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def test_two_clicks_from_the_front_page_to_a_match_against_the_easiest_bot(page: Page):
    page.goto("/")
    page.get_by_role("link", name=re.compile("MineWars")).first.click()
    queue = page.locator("#queue")
    expect(queue.get_by_role("radio", name="Duel")).to_be_checked()
    expect(queue.get_by_role("radio", name="Standard")).to_have_count(0)
    expect(queue.get_by_role("radio", name="2 exactly")).to_be_checked()
    # A preset asks for as many players as it is made for.
    queue.get_by_role("radio", name="Mayhem").check()
    expect(queue.get_by_role("radio", name="6 exactly")).to_be_checked()
    page.get_by_role("button", name="Practice against a bot").click()
    page.wait_for_url(re.compile("/match/"))
    expect(page.locator(".players")).to_contain_text("Pebble-bot")
    expect(page.get_by_role("heading", name="Ban a city")).to_be_visible()
    expect(page.locator(".war-ban-cities button")).to_have_count(5)
