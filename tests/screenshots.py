"""Pictures of the pages, to look at: `make screenshots` writes them to var/screenshots.

PAGES="/ /style/" chooses the pages, URL takes a site that runs already.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests import chromium
from tests.running_site import ROOT, new_site

PAGES = ["/", "/style/", "/accounts/login/", "/accounts/signup/", "/no-such-page/"]
SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
THEMES = ("light", "dark")


def name_of(page: str) -> str:
    return page.strip("/").replace("/", "-") or "front"


def take(browser: Browser, url: str, pages: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for size, (width, height) in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(
                base_url=url,
                viewport={"width": width, "height": height},
                color_scheme=theme,
                reduced_motion="reduce",
            )
            tab = context.new_page()
            for page in pages:
                tab.goto(page, wait_until="networkidle")
                path = folder / f"{name_of(page)}-{size}-{theme}.png"
                tab.screenshot(path=str(path), full_page=True)
                print(path)
            context.close()


def main() -> None:
    pages = os.environ.get("PAGES", "").split() or PAGES
    folder = ROOT / "var" / "screenshots"
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.ARGUMENTS
        )
        if url := os.environ.get("URL"):
            take(browser, url, pages, folder)
            return
        # DEBUG, because /style/ is for developers.
        site = new_site(Path(data) / "var", DEBUG="1")
        try:
            site.start()
            take(browser, site.url, pages, folder)
        finally:
            site.stop()


if __name__ == "__main__":
    main()
