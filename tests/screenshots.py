"""Pictures of the pages, to look at: `make screenshots` writes them to var/screenshots.

PAGES="/ /style/" chooses the pages, URL takes a site that runs already.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from games.modes.minewars.tests import pictures as minewars
from tests import chromium
from tests.running_site import ROOT, RunningSite, new_site

MODES = ("classic", "race", "area-attack", "battleship", "minewars")
PAGES = [
    "/",
    *(f"/play/{mode}/" for mode in MODES),
    "/daily/",
    "/analyse/",
    "/watch/",
    "/learn/",
    *(f"/learn/{mode}/" for mode in MODES),
    "/leaderboard/race/",
    "/stats/leaderboard/",
    "/@Ada/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/guest/",
    "/privacy/",
    "/api/v1/docs",
    "/offline/",
    "/no-such-page/",
    "/style/",
    "/history/",
    "/stats/",
    "/stats/",
    "/accounts/settings/",
    "/accounts/settings/access/",
    "/accounts/settings/data/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/report/",
    "/admin/",
]
STAFF = {
    "/style/",
    "/history/",
    "/report/",
    "/accounts/settings/",
    "/accounts/settings/access/",
    "/accounts/settings/data/",
    "/accounts/email/",
    "/accounts/2fa/",
    "/accounts/password/change/",
    "/admin/",
}
"""Pages that need somebody who is signed in."""
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
THEMES = ("light", "dark")


def name_of(page: str) -> str:
    return page.partition("#")[0].strip("/").replace("/", "-") or "front"


def take(
    browser: Browser,
    url: str,
    pages: dict[str, str],
    folder: Path,
    cookies: list[Any],
) -> None:
    """A picture of every page (its name, and its address) in all sizes and themes."""
    folder.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(
                base_url=url,
                viewport={"width": width, "height": height},
                is_mobile=size == "phone",
                color_scheme=theme,
                reduced_motion="reduce",
            )
            context.add_cookies(cookies)
            tab = context.new_page()
            for name, page in pages.items():
                tab.goto(page, wait_until="load")
                # Boards draw after the page is there; sockets keep it from ever being idle.
                tab.wait_for_timeout(500)
                path = folder / f"{name}-{size}-{theme}.png"
                tab.screenshot(path=str(path), full_page=True)
                print(path)
            context.close()


def replays(site: RunningSite) -> dict[str, str]:
    """Finished matches of every mode, half-way."""
    made = site.python(
        "from tests.web import finished\n"
        "for name, make in finished.ALL.items(): print(name, make())"
    )
    pairs = (line.split() for line in made.splitlines())
    return {f"replay-{mode}": f"/match/{match}/#t=6000&view=truth" for mode, match in pairs}


AGAINST_A_BOT = ("Race", "Area Attack", "Battleship")


def click_until_match(tab: Page, page: str, button: str) -> None:
    """Start a match from `page`. On a busy machine the first click may come before the page's
    module listens, or while the last match is still being stored: load the page and click again."""
    for _ in range(5):
        tab.goto(page)
        tab.get_by_role("button", name=button).click()
        try:
            tab.wait_for_url("**/match/**", timeout=15_000)
            tab.locator("#match[aria-busy=false]").wait_for(timeout=15_000)
        except PlaywrightTimeout:
            continue
        return
    raise AssertionError(f"{button!r} on {page} starts no match")


def running_matches(browser: Browser, url: str, folder: Path) -> None:
    """A game for one, with its first cell open; and the beginning of each match with a bot."""
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(
                base_url=url,
                viewport={"width": width, "height": height},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            tab = context.new_page()
            click_until_match(tab, "/play/classic/", "Start")
            tab.locator("[role=grid]").first.click()
            tab.wait_for_timeout(500)
            picture(tab, folder / f"match-{size}-{theme}.png")
            for title in AGAINST_A_BOT:
                click_until_match(tab, "/", f"Play {title} against a bot")
                tab.wait_for_timeout(500)
                name = title.lower().replace(" ", "-")
                picture(tab, folder / f"match-{name}-{size}-{theme}.png")
                # One match at a time: this one does not take place.
                tab.get_by_role("button", name="Give up").click()
                dialog = tab.get_by_role("dialog")
                dialog.get_by_role("button", name="Give up").click()
                tab.get_by_role("dialog", name="Result").wait_for()
                picture(tab, folder / f"result-{name}-{size}-{theme}.png")
            tab.goto("/play/race/")
            tab.get_by_text("Invite friends with a link").click()
            picture(tab, folder / f"play-race-open-{size}-{theme}.png")
            tab.get_by_role("button", name="Create link").click()
            tab.wait_for_url("**/invite/**")
            picture(tab, folder / f"invite-{size}-{theme}.png")
            context.close()


def picture(tab: Page, path: Path) -> None:
    tab.screenshot(path=str(path))
    print(path)


def staff_cookies(site: RunningSite) -> list[dict[str, str]]:
    """The session of a member of staff with a second factor, made without a browser."""
    key = site.python(
        "from allauth.mfa.models import Authenticator\n"
        "from accounts.models import User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "user = User.objects.create_superuser('Surveyor')\n"
        "Authenticator.objects.create(user=user, type='totp', data={})\n"
        "client.force_login(user)\n"
        "print(client.session.session_key)"
    ).strip()
    return [{"name": "sessionid", "value": key, "url": site.url}]


def main() -> None:
    pages = os.environ.get("PAGES", "").split() or PAGES
    folder = ROOT / "var" / "screenshots"
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        if url := os.environ.get("URL"):
            take(browser, url, {name_of(page): page for page in pages}, folder, [])
            return
        site = new_site(Path(data) / "var")
        try:
            site.start()
            cookies = staff_cookies(site)
            finished = replays(site)
            everybody = {name_of(page): page for page in pages if page not in STAFF}
            staff = {name_of(page): page for page in pages if page in STAFF}
            if not os.environ.get("PAGES"):
                everybody |= finished
                running_matches(browser, site.url, folder)
                minewars.take_all(site, browser, folder)
            take(browser, site.url, everybody, folder, [])
            take(browser, site.url, staff, folder, cookies)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
