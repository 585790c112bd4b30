"""A player of a team gives up: the page says that the partner plays on, and theirs that they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.running_site import RunningSite
from tests.web.axe import COLOURS, serious_violations
from tests.web.matches import made, seated

TEAMS = {
    "mode": "minewars",
    "kinds": ["guest"] * 6,
    "options": {
        "radius": 14,
        "cities": 6,
        "ban_seconds": 0,
        "limit_seconds": 600,
        "team_size": 2,
    },
}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_partner_plays_on(
    site: RunningSite, new_context: Callable[..., BrowserContext], theme: str
) -> None:
    address, sessions = made(site, TEAMS)[0]
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    options = {"color_scheme": theme, "reduced_motion": "reduce"}
    kinds = [options, {**options, **phone}, options]
    pages = [new_context(**kind).new_page() for kind in kinds]
    for page, key in zip(pages, sessions, strict=False):
        seated(site, page, address, key)
    partner, quitter, other = pages
    names = partner.locator(".player-name").all_inner_texts()
    quitter.get_by_role("button", name="Give up").tap()
    question = quitter.get_by_role("dialog")
    expect(question).to_contain_text(f"{names[0]} plays on")
    question.get_by_role("button", name="Give up").tap()
    expect(quitter.locator(".notices")).to_contain_text(
        f"You gave up. {names[0]} plays on, and your side’s result counts for you too."
    )
    expect(quitter.locator("#announce-now")).to_contain_text("You gave up.")
    expect(quitter.locator(".match-head")).to_contain_text("out, watching")
    expect(quitter.locator(".war-tools")).to_be_hidden()
    expect(quitter.get_by_role("dialog", name="Result")).to_have_count(0)
    expect(partner.locator(".notices")).to_contain_text(
        f"{names[1]} gave up. You play on for your side."
    )
    expect(partner.locator(".war-tools")).to_be_visible()
    expect(other.locator(".notices")).to_contain_text(f"{names[1]} gave up.")
    for page in pages:
        expect(page.locator(".player.is-out")).to_have_count(1)
        assert serious_violations(page, COLOURS) == []

    # The partner, too: now the empire is out, and both watch.
    partner.get_by_role("button", name="Give up").click()
    question = partner.get_by_role("dialog")
    expect(question).to_contain_text("You’ll be out of the match")
    question.get_by_role("button", name="Give up").click()
    expect(partner.locator(".notices")).to_contain_text("You gave up. You can keep watching.")
    for page in pages:
        expect(page.locator(".player.is-out")).to_have_count(2)
        assert serious_violations(page, COLOURS) == []


def test_the_result_of_a_duel_says_who_gave_up(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    options = {"radius": 14, "cities": 3, "ban_seconds": 0, "limit_seconds": 600}
    game = {"mode": "minewars", "kinds": ["guest"] * 2, "options": options}
    address, sessions = made(site, game)[0]
    ann, bob = (new_context().new_page() for _ in sessions)
    for page, key in zip((ann, bob), sessions, strict=True):
        seated(site, page, address, key)
    name = bob.locator("html").get_attribute("data-user")
    expect(bob.locator(".war-city")).to_have_count(1)
    bob.get_by_role("button", name="Give up").click()
    bob.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(bob.get_by_role("dialog", name="Result")).to_contain_text("You gave up.")
    expect(ann.get_by_role("dialog", name="Result")).to_contain_text(f"{name} gave up.")
