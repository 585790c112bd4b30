"""Pictures of a match in every state, to look at; a part of `make screenshots`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from games.modes.minewars.tests.test_match_page import frontier, neighbours, targets
from tests.running_site import RunningSite
from tests.web.devices import ALL
from tests.web.logged import LoggedMatch
from tests.web.matches import at, frame_of, made, opened, seated

DUEL: dict[str, Any] = {"radius": 16, "cities": 5, "limit_seconds": 1800, "price_percent": 40}
DUOS: dict[str, Any] = {"radius": 14, "cities": 6, "team_size": 2, "ban_seconds": 0}
SEED = "8e" * 32


class Studio:
    """One screen in one theme."""

    def __init__(self, site: RunningSite, browser: Browser, folder: Path, device: str, theme: str):
        self.site, self.browser, self.folder = site, browser, folder
        self.device, self.theme = device, theme
        self.contexts: list[Any] = []

    def page(self) -> Page:
        context = self.browser.new_context(
            **ALL[self.device],
            base_url=self.site.url,
            locale="en-GB",
            color_scheme="dark" if self.theme == "dark" else "light",
        )
        self.contexts.append(context)
        return context.new_page()

    def take(self, page: Page, name: str) -> None:
        page.wait_for_timeout(500)  # what moves comes to rest
        path = self.folder / f"minewars-{name}-{self.device}-{self.theme}.png"
        page.screenshot(path=str(path))
        print(path)

    def players(self, options: dict[str, Any], seats: int, pages: int) -> tuple[str, list[Page]]:
        game = {"mode": "minewars", "kinds": ["guest"] * seats, "options": options, "seed": SEED}
        address, sessions = made(self.site, game)[0]
        made_pages = [self.page() for _ in range(pages)]
        for page, key in zip(made_pages, sessions, strict=False):
            seated(self.site, page, address, key)
        return address, made_pages

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()


def press(page: Page, cell: int, button: Any = "left") -> None:
    frame_of(page).evaluate("(frame, cell) => frame.board.look(cell, 34)", cell)
    page.mouse.click(*at(page, cell), button=button)


def shoot(studio: Studio) -> None:
    address, (page, other) = studio.players({**DUEL, "ban_seconds": 60}, 2, 2)
    studio.take(page, "01-ban")
    page.locator(".war-ban-cities button").nth(1).click()
    expect(page.locator(".war-ban-cities [aria-pressed=true]")).to_have_count(1)
    studio.take(page, "02-voted")
    studio.close()

    address, (page, other) = studio.players({**DUEL, "ban_seconds": 0}, 2, 2)
    expect(page.locator(".war-city")).to_have_count(1)
    studio.take(page, "03-begun")
    match = LoggedMatch(studio.site, address)
    for _ in range(60):
        match.read()
        safe = [cell for cell in frontier(page) if not match.state.item[cell]]
        if not safe or len(frontier(page)) > 40:
            break
        press(page, safe[len(safe) // 2])
        page.wait_for_timeout(420)
    page.get_by_role("button", name="Got it").first.click()
    studio.take(page, "04-land")
    own = targets(page, "mine")
    studio.take(page, "05-mine-armed")
    press(page, own[0])
    page.wait_for_timeout(1200)
    page.locator("[data-tool=strike]").click()
    for cell in frontier(page)[:4]:
        press(page, cell)
    studio.take(page, "06-strike")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator("[data-tool=tower]").click()
    studio.take(page, "07-tower-armed")
    page.keyboard.press("Escape")
    frame_of(page).evaluate("(frame, cell) => frame.board.look(cell, 34)", own[1])
    page.wait_for_timeout(100)
    frame_of(page).evaluate("(frame, cell) => frame.board.emit('menu', cell)", own[1])
    expect(page.get_by_role("menu", name="Orders for this tile")).to_be_visible()
    studio.take(page, "08-menu")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show regions").click()
    page.get_by_role("button", name="Whole map").click()
    studio.take(page, "09-regions")
    page.get_by_role("button", name="Show regions").click()
    page.get_by_role("button", name="Settings").click()
    studio.take(page, "10-settings")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    studio.take(page, "11-keys")
    page.keyboard.press("Escape")
    match.read()
    mines = [cell for cell in frontier(page) if match.state.item[cell] == 1]
    press(page, mines[0])
    expect(page.locator(".war-effect.is-stunned")).to_be_visible()
    studio.take(page, "12-stunned")
    expect(page.locator(".war-effect.is-stunned")).to_be_hidden()
    watcher = studio.page()
    watcher.goto(address)
    opened(watcher)
    studio.take(watcher, "13-watching")
    other.get_by_role("button", name="Give up").click()
    other.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    expect(other.get_by_role("dialog", name="Result")).to_be_visible()
    page.wait_for_timeout(1000)
    studio.take(page, "14-won")
    studio.take(other, "15-lost")
    page.goto(address)
    page.wait_for_selector("#replay:not([aria-busy])", timeout=20_000)
    studio.take(page, "16-replay")
    studio.close()

    address, pages = studio.players(DUOS, 6, 3)
    page = pages[1]
    expect(page.locator(".war-city")).to_have_count(1)
    studio.take(page, "17-duos")
    page.get_by_role("button", name="Give up").click()
    studio.take(page, "18-give-up")
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(page.locator(".match-head")).to_contain_text("out, watching")
    studio.take(page, "19-gave-up")
    studio.close()

    address, (page,) = studio.players({**DUEL, "topology": "square", "ban_seconds": 0}, 2, 1)
    expect(page.locator(".war-city")).to_have_count(1)
    around = neighbours(page)
    assert len(around[len(around) // 2]) == 8
    studio.take(page, "20-squares")
    studio.close()


def take_all(site: RunningSite, browser: Browser, folder: Path) -> None:
    for device in ALL:
        for theme in ("light", "dark"):
            studio = Studio(site, browser, folder, device, theme)
            try:
                shoot(studio)
            finally:
                studio.close()
