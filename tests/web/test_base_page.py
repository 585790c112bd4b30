from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import become_guest


def test_the_front_page_opens_without_complaint(page: Page):
    page.goto("/")
    expect(page).to_have_title(re.compile("minesite"))
    expect(page.get_by_role("navigation", name="Main").get_by_role("link")).to_have_text(
        ["Play", "Watch", "Tournaments", "Leaderboard", "Puzzles", "Learn"]
    )


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


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_the_theme_is_kept_and_comes_with_the_first_byte(page: Page, site: RunningSite):
    page.emulate_media(color_scheme="light")
    page.goto("/")
    light = background(page)
    switch = page.locator("[data-theme-switch]")
    expect(switch).to_have_accessible_name("Theme: system")
    page.emulate_media(color_scheme="dark")
    dark = background(page)
    assert dark != light
    switch.click()
    expect(switch).to_have_accessible_name("Theme: light")
    assert background(page) == light
    html = page.request.get("/").text()
    assert 'data-theme="light"' in html
    switch.click()
    page.reload()
    page.emulate_media(color_scheme="light")
    assert background(page) == dark
    assert page.evaluate("localStorage.theme") == "dark"


PAGES = ["/", *(f"/play/{mode}/" for mode in ("race", "classic", "minewars")), "/learn/race/"]
PAGES += ["/watch/", "/daily/", "/accounts/login/", "/accounts/signup/", "/no-such-page/"]
# A phone widens its window to what does not fit: innerWidth would tell nothing.
OVERFLOW = "document.documentElement.scrollWidth - screen.width"


@pytest.mark.parametrize("guest", [False, True], ids=["visitor", "guest"])
def test_pages_fit_a_phone_of_360_pixels(new_context, complaints, guest):
    page = new_context(viewport={"width": 360, "height": 740}, is_mobile=True).new_page()
    if guest:  # whose name is in the header
        become_guest(page)
    for path in PAGES:
        page.goto(path)
        assert page.evaluate(OVERFLOW) <= 0, path
    complaints.clear()  # the browser reports the 404 itself


def test_the_longest_name_fits_a_phone_of_360_pixels(new_context, site: RunningSite):
    key = site.python(
        "from accounts.models import User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "client.force_login(User.objects.create_user('W' * 20))\n"
        "print(client.session.session_key)"
    ).strip()
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    context = new_context(**phone)
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    page.goto("/learn/")
    expect(page.locator(".menu:not(.bell) summary")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    boxes = [page.locator(part).bounding_box() for part in (".logo", ".site-tools")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert boxes[1]["x"] + boxes[1]["width"] <= 360 - 16


def test_keyboard_reaches_the_content_with_a_visible_focus(page: Page):
    page.goto("/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"


def test_the_language_can_be_changed_and_stays(page: Page):
    page.goto("/")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/accounts/login/")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_missing_page_says_so_in_our_words(page: Page, complaints: list[str]):
    answer = page.goto("/no-such-page/")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing under this tile")
    assert all("404" in complaint for complaint in complaints)
    complaints.clear()


def test_manifest_icons_and_modules_exist_under_hashed_names(page: Page, site: RunningSite):
    page.goto("/")
    manifest = page.request.get("/manifest.webmanifest")
    assert manifest.headers["content-type"] == "application/manifest+json"
    for icon in manifest.json()["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]
    assert page.request.get("/favicon.ico").headers["content-type"] == "image/png"
    imports = json.loads(page.locator("script[type=importmap]").inner_text())["imports"]
    hashed = imports["site/main.js"]
    assert re.fullmatch(r"/static/site/main\.[0-9a-f]{12}\.js", hashed)
    # The plain address leads to the same module, so that relative imports work too.
    assert imports["/static/site/main.js"] == hashed


def test_sign_up_menu_and_style_page_for_staff(page: Page, site: RunningSite, complaints):
    page.goto("/accounts/signup/")
    page.get_by_label("Name", exact=True).fill("Hedy")
    page.get_by_label("Password", exact=False).first.fill("frequency-hopping-42")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("Hedy", exact=True).click()
    expect(page.get_by_role("link", name="My matches")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="My matches")).to_be_hidden()
    assert page.request.get("/style/").status == 404

    site.python(
        "from accounts.models import User\n"
        "User.objects.filter(username='Hedy').update(is_staff=True, is_superuser=True)"
    )
    page.goto("/style/")
    page.get_by_role("button", name="Toast", exact=True).click()
    expect(page.locator(".toast")).to_have_text(re.compile("Saved"))
    expect(page.locator("#announce")).to_have_text("Saved")
    page.get_by_role("button", name="Dialog").click()
    expect(page.get_by_role("button", name="Play on")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Banner").click()
    expect(page.locator("#banner").get_by_role("link", name="Return")).to_be_visible()
    page.get_by_role("tab", name="Form").press("ArrowRight")
    expect(page.get_by_role("tabpanel")).to_contain_text("Grace")


@pytest.mark.parametrize(
    "path", ["/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/admin/"]
)
def test_account_and_admin_pages_obey_the_policy(new_context, site: RunningSite, path):
    key = site.python(
        "from accounts.models import User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "user = User.objects.filter(username='Keeper').first()\n"
        "client.force_login(user or User.objects.create_superuser('Keeper', 'k@example.org'))\n"
        "print(client.session.session_key)"
    ).strip()
    context = new_context()
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
