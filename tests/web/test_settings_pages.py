"""Accounts in a real browser: sign-up, settings, sessions, the second factor."""

from __future__ import annotations

import re
import secrets
import time

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import BrowserContext, Page, expect

from accounts import preferences
from tests.running_site import RunningSite
from tests.web.matches import become_guest, frame_of, saves, solo_again

PASSWORD = "correct-horse-7"


def sign_up(page: Page, home: str = "", prefix: str = "web_") -> str:
    name = f"{prefix}{secrets.token_hex(4)}"
    page.goto(f"{home}/accounts/signup/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Create account").click()
    expect(page.locator("html")).to_have_attribute("data-user", name)
    return name


def sign_in(context: BrowserContext, name: str) -> Page:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in", exact=True).click()
    return page


def test_settings_are_saved_and_copied_to_this_browser(page: Page):
    sign_up(page)
    page.evaluate("localStorage.setItem('preferences', '{\"sound\": true, \"volume\": 0.1}')")
    page.goto("/accounts/settings/")
    expect(page.get_by_label("Sounds")).not_to_be_checked()  # the account's word, not the copy's
    page.get_by_label("Player colours").select_option("tritanopia")
    page.get_by_label("Animations").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_label("Player colours")).to_have_value("tritanopia")
    expect(page.get_by_label("Animations")).not_to_be_checked()
    copy = page.evaluate("JSON.parse(localStorage.getItem('preferences'))")
    assert (copy["palette"], copy["animations"], copy["volume"]) == ("tritanopia", False, 0.6)


def test_theme_and_language_are_among_the_settings(page: Page):
    become_guest(page)
    page.goto("/accounts/settings/")
    theme = page.get_by_role("group", name="Theme")
    expect(theme.get_by_role("button", name="System")).to_have_attribute("aria-pressed", "true")
    theme.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(theme.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    expect(theme.get_by_role("button", name="System")).to_have_attribute("aria-pressed", "false")
    page.reload()  # the server knows it, too
    expect(theme.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    page.locator("main").get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page).to_have_url(re.compile("/accounts/settings/$"))
    chosen = page.locator("main").get_by_role("button", name="Deutsch")
    expect(chosen).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("group", name="Design")).to_be_visible()


def pixel(page: Page, seat: int) -> list[int]:
    """The colour of the frame around a player's swatch."""
    swatch = page.locator(f"[data-seat='{seat}'] canvas")
    return swatch.evaluate("c => [...c.getContext('2d').getImageData(1, 24, 1, 1).data]")


def test_own_colours_are_chosen_checked_and_used(page: Page):
    become_guest(page)
    page.goto("/accounts/settings/")
    hints = page.locator(".seat-hint")
    before = pixel(page, 1)
    page.get_by_label("Colour of player 1").fill("#fff8e0")
    expect(page.get_by_label("Player colours")).to_have_value("own")
    assert pixel(page, 1) != before
    assert pixel(page, 1) == [255, 248, 224, 255]
    expect(hints.first).to_have_text("hard to see on the light board")
    page.get_by_label("Colour of player 1").fill("#d2542d")
    expect(hints.first).to_have_text("too similar to player 2")
    expect(hints.nth(1)).to_have_text("too similar to player 1")
    page.get_by_label("Colour of player 1").fill("#4a7f10")
    expect(hints.first).to_be_empty()
    expect(hints.nth(1)).to_be_empty()
    page.get_by_label("Pattern of player 1").select_option("grid")
    page.get_by_label("My own flash colour").fill("#00aa00")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    solo_again(page)
    look = frame_of(page).evaluate("""async (frame) => {
      const { readColours } = await import("games/board/colours.js");
      const colours = readColours(frame.board.prefs);
      return [colours.seats[0], colours.patterns[0], frame.board.prefs.flash_colour];
    }""")
    assert look == ["rgb(74, 127, 16)", "grid", "own"]


def test_the_colours_to_begin_with_are_good(page: Page):
    page.goto("/accounts/guest/")
    found = page.evaluate("""async () => {
      const { DEFAULTS } = await import("games/prefs.js");
      const { troubles } = await import("games/board/contrast.js");
      const colours = [1, 2, 3, 4, 5, 6].map((n) => DEFAULTS[`colour_${n}`]);
      return [DEFAULTS, colours.flatMap((_, seat) => troubles(colours, seat))];
    }""")
    assert found[1] == []
    elsewhere = {
        "private",
        "challenges",
        "follows",
        "messages",
        "online",
    }  # these are the server's business alone
    assert found[0] == {k: v for k, v in preferences.DEFAULTS.items() if k not in elsewhere}


def test_a_choice_on_the_match_page_is_the_account_s(page: Page, new_context):
    name = sign_up(page)
    solo_again(page)
    page.get_by_role("button", name="Settings").click()
    with page.expect_response(saves("flash_colour")) as answer:
        page.get_by_role("switch", name="Animations").uncheck()
        page.get_by_label("Flash colour").select_option("blue")
    assert answer.value.ok
    other = sign_in(new_context(), name)
    expect(other.locator("html")).to_have_attribute("data-user", name)
    other.goto("/accounts/settings/")
    expect(other.get_by_label("Animations")).not_to_be_checked()
    expect(other.get_by_label("Flash colour", exact=True)).to_have_value("blue")


def test_a_guest_keeps_the_name(page: Page):
    page.goto("/accounts/guest/")
    page.get_by_role("button", name="Play as a guest").click()
    name = page.locator("html").get_attribute("data-user")
    page.goto("/accounts/settings/")
    page.locator("main").get_by_role("link", name="Keep my name").click()
    expect(page.get_by_label("Name", exact=True)).to_have_value(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Create account").click()
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
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_text("Your authenticator app is set up.")).to_be_visible()
    codes = page.request.get("/accounts/2fa/recovery-codes/download/").text().split()
    other = sign_in(new_context(), name)
    expect(other).to_have_url(re.compile("/accounts/2fa/authenticate/"))
    other.locator("[name=code]").fill(codes[-1])
    other.get_by_role("button", name="Sign in", exact=True).first.click()
    expect(other.locator("html")).to_have_attribute("data-user", name)


def test_the_settings_fit_a_phone(new_context):
    page = new_context(viewport={"width": 360, "height": 740}, is_mobile=True).new_page()
    sign_up(page, prefix="W" * 12)  # a name as wide as names can be
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
    page.get_by_label("Sign in without a password").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page).to_have_url(re.compile("/accounts/2fa/recovery-codes/"))
    page.goto(f"{home}/accounts/logout/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.locator("html[data-user]")).to_have_count(0)
    page.goto(f"{home}/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("html")).to_have_attribute("data-user", name)
