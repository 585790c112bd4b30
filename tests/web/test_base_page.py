from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def test_the_front_page_opens_without_complaint(page: Page):
    page.goto("/")
    expect(page).to_have_title(re.compile("minesite"))


def test_inline_script_is_refused_by_the_policy(page: Page, complaints: list[str]):
    page.goto("/")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'),"
        " {textContent: 'window.injected = 1'}))"
    )
    assert page.evaluate("window.injected") is None
    assert len(complaints) == 1
    assert "Content Security Policy" in complaints[0]
    complaints.clear()
