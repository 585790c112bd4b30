"""Pages of guests and players around their account: menus, sign-up, sign-out, the password."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.axe import serious_violations
from tests.web.matches import become_guest
from tests.web.test_settings_pages import PASSWORD, sign_up

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SCREENS = pytest.mark.parametrize(
    "screen", [DESKTOP, PHONE, LANDSCAPE], ids=["desktop", "phone", "landscape"]
)
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def open_menu(page: Page) -> None:
    page.locator(".site-tools .menu:not(.bell) summary").click()


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_settings_lead_to_the_password(page: Page):
    sign_up(page)
    page.goto("/accounts/settings/")
    page.get_by_role("link", name="Password", exact=True).click()
    expect(page.get_by_role("heading", name="Change password")).to_be_visible()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("another-horse-8")
    page.get_by_label("Repeat new password").fill("another-horse-8")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Your password has changed.")).to_be_visible()
    page.goto("/accounts/password/")
    expect(page).to_have_url(re.compile("/accounts/password/change/$"))


@SCREENS
@THEMES
def test_a_guest_is_warned_before_the_name_is_lost(new_context, screen, theme):
    page = new_context(color_scheme=theme, reduced_motion="reduce", **screen).new_page()
    become_guest(page)
    name = page.locator("html").get_attribute("data-user")
    open_menu(page)
    menu = page.locator(".site-tools .menu")
    expect(menu.get_by_role("link", name="Create account")).to_be_visible()
    expect(menu.get_by_role("link", name="Sign in")).to_be_visible()
    menu.get_by_role("link", name="Sign out").click()
    expect(page.get_by_role("heading", name=f"Leave {name} behind?")).to_be_visible()
    assert fits(page)
    assert not serious_violations(page)
    page.get_by_role("link", name="Keep my name").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    expect(page.get_by_text("a forgotten password means a lost account")).to_be_visible()
    assert fits(page)
    assert not serious_violations(page)
    page.go_back()
    page.get_by_role("button", name="Sign out and lose it").click()
    expect(page.locator("html[data-user]")).to_have_count(0)


def test_players_sign_out_without_a_question(page: Page):
    sign_up(page)
    open_menu(page)
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("html[data-user]")).to_have_count(0)
    tools = page.locator(".site-tools")
    expect(tools.get_by_role("link", name="Sign in")).to_be_visible()
    expect(tools.get_by_role("link", name="Create account")).to_be_visible()


@SCREENS
@THEMES
def test_no_serious_violation_on_account_pages(new_context, screen, theme):
    page = new_context(color_scheme=theme, reduced_motion="reduce", **screen).new_page()
    found = []
    for path in ("login", "signup", "password/reset", "password/reset/done", "inactive"):
        page.goto(f"/accounts/{path}/")
        assert fits(page), path
        found += serious_violations(page)
    assert not found
