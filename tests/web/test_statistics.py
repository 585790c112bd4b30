"""Statistics in the browser: a personal best in the result, and the figures on their pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.running_site import RunningSite
from tests.statistics.games import BEGINNER, MINES, OPENERS
from tests.web.axe import ALL_RULES, serious_violations
from tests.web.matches import click, dealt, expect_face, seated


@pytest.fixture(scope="module")
def slow_win(site: RunningSite) -> dict[str, str]:
    """The session of a player who has cleared Beginner in an hour, and whom a second win beats."""
    key = site.python(
        "from datetime import timedelta\n"
        "from django.test import Client\n"
        "from django.utils import timezone\n"
        "from accounts.models import User\n"
        "from tests.statistics.games import won\n"
        "user = User.objects.create_user('Sweeper')\n"
        "won(user, every=900_000, at=timezone.now() - timedelta(hours=2))\n"
        "client = Client()\n"
        "client.force_login(user)\n"
        "print(client.session.session_key)"
    ).strip()
    return {"name": "sessionid", "value": key, "url": site.url}


def analysed(route: Route) -> None:
    answer = route.fetch()
    told = answer.json()
    if told["status"] != "live":
        told |= {"accuracy": {"0": 87.54}, "waiting": False}
    route.fulfill(response=answer, json=told)


def test_a_personal_best_is_celebrated(site: RunningSite, page: Page):
    board = {"options": BEGINNER, "mines": list(MINES), "start": OPENERS[0]}
    ((address, session),) = dealt(site, board)
    site.python(
        "from datetime import timedelta\n"
        "from django.utils import timezone\n"
        "from games.models import Seat\n"
        "from tests.statistics.games import won\n"
        f"seat = Seat.objects.get(match_id={address.split('/')[2]!r})\n"
        "won(seat.user, every=900_000, at=timezone.now() - timedelta(hours=2))"
    )
    # The worker analyses the match when it has time; here it has done so at once.
    page.route("**/result.json", analysed)
    seated(site, page, address, session)
    for cell in OPENERS:
        click(page, cell)
        expect_face(page, cell, 3 if cell != OPENERS[0] else 0)
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Cleared!")
    expect(result.get_by_text("Personal best!")).to_be_visible(timeout=20_000)
    expect(result).to_contain_text("Your best time was 45:")
    expect(result).to_contain_text("Accuracy: 87.5 %")


def test_the_pages_show_what_was_played(new_context, slow_win):
    context = new_context()
    context.add_cookies([slow_win])
    page = context.new_page()
    page.goto("/")
    page.locator("summary", has_text="Sweeper").click()
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your statistics")
    expect(page.get_by_text("1 of 1")).to_be_visible()
    assert not serious_violations(page, ALL_RULES)
    page.get_by_role("link", name="Expert").click()
    expect(page.get_by_text("No finished games on this board yet.")).to_be_visible()
    page.get_by_role("link", name="Beginner").click()
    page.get_by_role("link", name="Leaderboard of these boards").click()
    page.get_by_role("link", name="All time").click()
    row = page.get_by_role("row", name=re.compile("Sweeper"))
    expect(row).to_be_visible()
    assert not serious_violations(page, ALL_RULES)
    row.get_by_role("link", name="Sweeper").click()
    expect(page.get_by_role("link", name="Statistics", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    page.get_by_role("navigation", name="Profile").get_by_role("link", name="Matches").click()
    expect(page.get_by_role("heading", name="Matches")).to_be_visible()
