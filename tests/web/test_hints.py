"""Hints on the match page."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_a_hint_is_asked_for_shown_and_explained(page: Page):
    page.goto("/play/classic/")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/match/**")
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="I’ll think").click()
    page.get_by_role("button", name="Hint", exact=True).click()
    page.get_by_role("button", name="Give me a hint").click()
    expect(page.get_by_text("Begin at column 5, row 5: it is safe.").first).to_be_visible()
    expect(page.get_by_role("button", name="Show me why")).to_be_hidden()
