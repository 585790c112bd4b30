"""Accounts in a real browser: sign-up, settings, sessions, the second factor."""

from __future__ import annotations

import re
import secrets
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import BrowserContext, Page, expect

from tests.running_site import RunningSite

PASSWORD = "correct-horse-7"


def sign_up(page: Page, home: str = "") -> str:
    name = f"web_{secrets.token_hex(4)}"
    page.goto(f"{home}/accounts/signup/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign Up").click()
    expect(page.locator("html")).to_have_attribute("data-user", name)
    return name


def sign_in(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Login").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign In", exact=True).click()
    return page


def test_settings_are_saved_and_win_over_what_the_browser_kept(page: Page):
    sign_up(page)
    page.evaluate("localStorage.setItem('preferences', '{\"sound\": true, \"volume\": 0.1}')")
    page.goto("/accounts/settings/")
    expect(page.get_by_label("Sounds")).to_be_checked()
    expect(page.get_by_label("Volume")).to_have_value("0.1")
    page.get_by_label("Colours of the players").select_option("tritanopia")
    page.get_by_label("Animations").uncheck()
    expect(page.locator("#swatches canvas")).to_have_count(6)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert page.evaluate("localStorage.getItem('preferences')") is None
    page.reload()
    expect(page.get_by_label("Colours of the players")).to_have_value("tritanopia")
    expect(page.get_by_label("Animations")).not_to_be_checked()
    expect(page.get_by_label("Sounds")).to_be_checked()


def test_a_guest_keeps_the_name(page: Page):
    page.goto("/accounts/guest/")
    page.get_by_role("button", name="Play as a guest").click()
    name = page.locator("html").get_attribute("data-user")
    page.goto("/accounts/settings/")
    page.locator("main").get_by_role("link", name="Keep my name").click()
    expect(page.get_by_label("Username")).to_have_value(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign Up").click()
    expect(page.locator("html")).to_have_attribute("data-kind", "registered")
    expect(page.locator("html")).to_have_attribute("data-user", name)


def test_another_session_is_ended_from_here(page: Page, new_context):
    name = sign_up(page)
    other = sign_in(new_context(), name)
    expect(other.locator("html")).to_have_attribute("data-user", name)
    page.goto("/accounts/settings/access/")
    expect(page.get_by_role("row", name=re.compile("this one"))).to_have_count(1)
    page.get_by_role("button", name="End", exact=True).click()
    expect(page.get_by_text("That session has ended.")).to_be_visible()
    other.goto("/accounts/settings/")
    expect(other).to_have_url(re.compile("/accounts/login/"))


def test_an_authenticator_app_is_added_and_asked_for(page: Page, new_context):
    name = sign_up(page)
    page.goto("/accounts/2fa/totp/activate/")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("totp/activate/"))
    assert page.locator("img.qr-code").bounding_box()["width"] < 300
    secret = page.locator("#authenticator_secret").input_value()
    code = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name="Activate").click()
    expect(page.get_by_text("Authenticator app activated.")).to_be_visible()
    codes = page.request.get("/accounts/2fa/recovery-codes/download/").text().split()
    other = sign_in(new_context(), name)
    expect(other).to_have_url(re.compile("/accounts/2fa/authenticate/"))
    other.locator("[name=code]").fill(codes[-1])
    other.get_by_role("button", name="Sign In", exact=True).first.click()
    expect(other.locator("html")).to_have_attribute("data-user", name)


def test_the_settings_fit_a_phone(new_context):
    page = new_context(viewport={"width": 360, "height": 740}, is_mobile=True).new_page()
    sign_up(page)
    for path in ("", "access/", "data/"):
        page.goto(f"/accounts/settings/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_passkey_signs_in_without_a_password(page: Page, site: RunningSite):
    home = site.url.replace("127.0.0.1", "localhost")  # browsers want a name for passkeys
    browser = page.context.new_cdp_session(page)
    browser.send("WebAuthn.enable")
    features = ("hasResidentKey", "hasUserVerification", "isUserVerified")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "automaticPresenceSimulation": True,
        **dict.fromkeys(features, True),
    }
    browser.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    name = sign_up(page, home)
    page.goto(f"{home}/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button").first.click()
    page.get_by_label("Name").fill("laptop")
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page).to_have_url(re.compile("/accounts/2fa/recovery-codes/"))
    page.goto(f"{home}/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign Out").click()
    expect(page.locator("html[data-user]")).to_have_count(0)
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("html")).to_have_attribute("data-user", name)
