"""A real Chromium. Playwright's synchronous interface holds an event loop in this thread, so it
ends with each test file, before any asynchronous test of another file begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests import chromium
from tests.running_site import RunningSite


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = chromium.find()
    if path is None:
        pytest.skip("no Chromium: put one on PATH or run `playwright install chromium`")
    return path


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright, chromium_path: str) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=chromium_path, args=chromium.ARGUMENTS)
    yield launched
    launched.close()


def watch(page: Page, complaints: list[str]) -> None:
    """Note what a page must not do: errors in the console (CSP violations among them), uncaught
    exceptions, and failed requests for its own parts."""

    def on_console(message) -> None:
        if message.type == "error":
            complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    page.on("console", on_console)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """The browser's complaints; a test that expects one clears the list."""
    found: list[str] = []
    yield found
    assert not found, "\n".join(found)


@pytest.fixture
def new_context(
    browser: Browser, site: RunningSite, complaints: list[str]
) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts (separate people, with cookies of their own) for one test:
    `new_context(viewport={"width": 360, "height": 740})`."""
    contexts: list[BrowserContext] = []

    def make(**options) -> BrowserContext:
        options = {"base_url": site.url, "locale": "en-GB", **options}
        context = browser.new_context(**options)
        context.set_default_timeout(30_000)
        context.on("page", lambda page: watch(page, complaints))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """One person's page; fails the test on console errors and violations of the policy."""
    return new_context().new_page()
