"""Tournaments in the browser: made with the form, joined, played, and followed live."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.matches import opened

SIGN_IN = """
from django.test import Client
from accounts.models import User
for name in {names!r}:
    client = Client()
    client.force_login(User.objects.get_or_create(username=name)[0])
    print(client.session.session_key)
"""
START = """
from django.utils import timezone
from lobby.tournaments.models import Tournament
Tournament.objects.filter(pk={id!r}).update(starts_at=timezone.now())
"""
TABLE = """
from django.utils import timezone
from accounts.models import User
from lobby.tournaments import entry
from lobby.tournaments.games import Result
from lobby.tournaments.models import Entrant, Pairing, Tournament
import random
draw = random.Random(3)
made = Tournament.objects.create(
    name="Spring open", kind={kind!r}, mode={mode!r}, minutes={minutes}, rounds={rounds},
    boards=0, starts_at=timezone.now())
names = ["Table" + str(number) for number in range(30)]
for name in names:
    entry.join(made.pk, User.objects.get_or_create(username=name)[0])
players = list(made.entrants.order_by("pk"))
for number in range(1, 6):
    draw.shuffle(players)
    for at in range(0, 30, 2):
        one, two = sorted(players[at:at + 2], key=lambda each: each.pk)
        Pairing.objects.create(
            tournament=made, number=number, one=one, two=two, state="over",
            match=f"m{{number}}{{at:02}}" + made.pk[:6],
            result=draw.choice([Result.ONE, Result.ONE, Result.TWO, Result.DRAW]),
            ended_at=timezone.now())
Tournament.objects.filter(pk=made.pk).update(
    status={status!r}, started_at=timezone.now(), ended_at=timezone.now(), number=5, version=9,
    round_at=timezone.now())
print(made.pk)
"""

NewContext = Callable[..., BrowserContext]


@pytest.fixture
def people(site: RunningSite, new_context: NewContext) -> Callable[..., list[Page]]:
    """Pages of these signed-in players, each in a browser of their own."""

    def make(*names: str, **options) -> list[Page]:
        keys = site.python(SIGN_IN.format(names=names)).split()
        pages = []
        for key in keys:
            context = new_context(**options)
            context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
            pages.append(context.new_page())
        return pages

    return make


def test_three_players_go_through_a_small_arena(site: RunningSite, people) -> None:
    anna, ben, carl = people("TourAnna", "TourBen", "TourCarl")
    anna.goto("/tournaments/")
    anna.get_by_role("link", name="New tournament").click()
    anna.get_by_role("link", name="Race").click()
    anna.get_by_label("Name").fill("Friday sprint")
    assert serious_violations(anna) == []
    anna.get_by_role("button", name="Create tournament").click()
    expect(anna.get_by_role("heading", level=1)).to_have_text("Friday sprint")
    address = anna.url
    expect(anna.locator("#tournament-clock")).to_have_text(re.compile(r"^\d+:\d\d$"))
    for page in (anna, ben, carl):
        page.goto(address)
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_text("You’re in.")).to_be_visible()
    # The others' names arrive by themselves.
    expect(anna.locator("#standings tr")).to_have_count(3)
    assert serious_violations(anna) == []
    carl.get_by_role("button", name="Withdraw").click()
    expect(anna.locator("#standings tr")).to_have_count(2)
    site.python(START.format(id=address.rstrip("/").rpartition("/")[2]))
    for page in (anna, ben):
        page.wait_for_url(re.compile("/match/"), wait_until="commit", timeout=30_000)
    carl.goto(address)
    expect(carl.locator("#live-list a")).to_have_count(1)
    for page in (anna, ben):
        opened(page).get_by_role("button", name="I’m ready").click()
    for page in (anna, ben):
        expect(page.locator("#match")).to_have_attribute("data-phase", "live")
    give_up(ben)
    for page in (anna, ben):
        sheet = page.get_by_role("dialog", name="Result")
        back = sheet.get_by_role("link", name="Back to the tournament")
        expect(back).to_be_visible()
        expect(sheet.get_by_role("button", name="Again")).to_have_count(0)
    expect(carl.locator("#standings tr").first).to_contain_text("TourAnna")
    expect(carl.locator("#standings tr").first.locator(".score")).to_have_text("2")
    ben.get_by_role("dialog", name="Result").get_by_role("link", name="Back").click()
    ben.wait_for_url(address)
    # An arena of two goes on with the same pair.
    ben.wait_for_url(re.compile("/match/"), wait_until="commit", timeout=30_000)


def give_up(page: Page) -> None:
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()


@pytest.mark.parametrize(
    ("kind", "mode", "status"), [("arena", "race", "running"), ("swiss", "battleship", "over")]
)
def test_the_pages_of_tournaments_on_phone_and_desktop(
    site: RunningSite, people, kind: str, mode: str, status: str
) -> None:
    minutes, rounds = (60, 0) if kind == "arena" else (0, 5)
    made = site.python(
        TABLE.format(kind=kind, mode=mode, status=status, minutes=minutes, rounds=rounds)
    ).strip()
    (page,) = people("Table7")
    for width, scheme in ((1280, "light"), (1280, "dark"), (360, "light")):
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"/tournaments/{made}/")
        expect(page.locator("#standings tr")).to_have_count(25)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
        assert serious_violations(page) == []
        page.goto("/tournaments/")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious_violations(page) == []
    page.goto(f"/tournaments/{made}/")
    page.get_by_role("button", name="My place").click()
    expect(page.locator("#standings .mine-own")).to_contain_text("Table7")
    if status == "over":
        expect(page.locator(".podium li")).to_have_count(3)
