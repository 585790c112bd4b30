"""Every preset starts: from the queue, with bots and without, and by a private link."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.modes.minewars.rules.presets import PRESETS
from games.modes.minewars.tests.trial import LONG, Player
from tests.running_site import RunningSite
from tests.web.logged import LoggedMatch
from tests.web.matches import opened

MATCH = re.compile(r"/match/[a-z0-9]{12}/$")


def queue_for(page: Page, preset: str, bot: bool) -> None:
    page.goto("/play/minewars/")
    choices = page.locator("#queue").get_by_role("radio", name=re.compile(f"^{preset.title()}"))
    choices.check(force=True)
    page.locator("input[name=bot]").set_checked(bot)
    page.get_by_role("button", name="Find a match").click()


def match_of(page: Page) -> dict[str, Any]:
    match: dict[str, Any] = page.evaluate(
        "JSON.parse(document.getElementById('page-data').textContent).match"
    )
    return match


def plays(site: RunningSite, page: Page, preset: str) -> LoggedMatch:
    """The page is that of a match of this preset, as many play as it is made for."""
    page.wait_for_url(MATCH, timeout=60_000)
    opened(page)
    expect(page.locator(".players > *")).to_have_count(PRESETS[preset]["players"])
    logged = LoggedMatch(site, page.url)
    options = logged.state.options
    assert options.preset == preset
    assert options.radius == PRESETS[preset]["radius"]
    size = options.team_size
    teams = [seat // size + 1 for seat in range(PRESETS[preset]["players"])]
    assert list(logged.state.empire_of) == teams
    return logged


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_starts_from_the_queue_with_bots(
    site: RunningSite, new_context: Callable[..., BrowserContext], preset: str
) -> None:
    player = Player(new_context().new_page(), 0)
    queue_for(player.page, preset, bot=True)
    logged = plays(site, player.page, preset)
    if logged.state.rules.ban_seconds:
        # On a busy machine the time to vote may be over by now: other trials vote.
        votes = player.page.locator(".war-ban-cities button")
        expect(votes).to_have_count(PRESETS[preset]["cities"])
    else:
        expect(player.page.locator(".war-city")).to_have_count(1)
    player.see(f"preset-{preset}")
    player.page.get_by_role("button", name="Give up").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    assert player.refusals() == []


@pytest.mark.parametrize("preset", list(PRESETS) if LONG else ["duel"])
def test_a_preset_starts_from_the_queue_without_bots(
    site: RunningSite, new_context: Callable[..., BrowserContext], preset: str
) -> None:
    pages = [new_context().new_page() for _ in range(PRESETS[preset]["players"])]
    for page in pages:
        queue_for(page, preset, bot=False)
    for page in pages:
        plays(site, page, preset)
    assert len({page.url for page in pages}) == 1


def test_a_private_link_takes_options(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    host, guest = (Player(new_context().new_page(), seat) for seat in range(2))
    host.page.goto("/play/minewars/")
    host.page.get_by_text("Invite friends with a link").click()
    form = host.page.locator("#invite")
    form.get_by_label("Map").select_option("duos")
    expect(form.get_by_label("Number of players")).to_have_value("6")
    form.get_by_label("Map").select_option("duel")
    expect(form.get_by_label("Number of players")).to_have_value("2")
    form.get_by_text("More options").click()
    form.get_by_label("Tiles", exact=True).select_option("square")
    numbers = {"radius": 8, "ban_seconds": 0, "limit_seconds": 10, "mine_percent": 5}
    for name, value in numbers.items():
        form.locator(f"[name=option-{name}]").fill(str(value))
    form.get_by_role("button", name="Create link").click()
    host.page.wait_for_url("**/invite/**")
    host.see("invitation")
    guest.page.goto(host.page.get_by_label("Link").input_value())
    guest.see("invited")
    guest.page.get_by_role("button", name="Join as a guest").click()
    for player in (host, guest):
        player.page.wait_for_url(MATCH)
        opened(player.page)
    options = LoggedMatch(site, host.page.url).state.options
    assert options.topology == "square"
    assert {name: getattr(options, name) for name in numbers} == numbers
    for player in (host, guest):
        expect(player.page.get_by_role("dialog", name="Result")).to_be_visible()
    host.see("time-was-up")
