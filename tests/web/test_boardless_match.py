"""A mode without a board is played by programs; its match page says so, and tells how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.running_site import RunningSite, new_site
from tests.web.axe import serious_violations
from tests.web.matches import made, seated


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    running = new_site(tmp_path_factory.mktemp("site") / "var", EXTRA_MODES="tests.modes.calls")
    try:
        running.start()
        yield running
    finally:
        running.stop()


def test_a_match_without_a_board_names_the_players_and_the_result(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    game = {"mode": "calls", "kinds": ["guest", "guest"], "options": {}}
    address, sessions = made(site, game)[0]
    ann, bob = (seated(site, new_context().new_page(), address, key) for key in sessions)
    for page in (ann, bob):
        expect(page.locator(".boardless")).to_contain_text("no board in the browser yet")
        expect(page.locator(".boardless").get_by_role("link", name="HTTP API")).to_be_visible()
        expect(page.locator(".board-frame")).to_have_count(0)
        expect(page.locator(".players > *")).to_have_count(2)
    assert serious_violations(ann) == []
    ann.get_by_role("button", name="Give up").click()
    ann.get_by_role("dialog").get_by_role("button", name="Give up").click()
    for page in (ann, bob):
        expect(page.get_by_role("dialog", name="Result")).to_be_visible()
