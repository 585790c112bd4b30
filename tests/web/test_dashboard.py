"""The first page of the admin in a real browser: figures that move, plots, and what staff do."""

from __future__ import annotations

import json
import re
import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.matches import click, solo, together

OPERATOR = """
import json
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group
from django.test import Client
from accounts.models import User
user = User.objects.create(username={name!r}, is_staff=True)
user.groups.add(Group.objects.get(name="operator"))
Authenticator.objects.create(user=user, type="totp", data={{"secret": "unused"}})
client = Client()
client.force_login(user)
print(client.session.session_key)
"""
DONE = """
import json
from games.moderation.models import Sanction, StaffAct
acts = StaffAct.objects.filter(by__username={name!r}).order_by("pk")
print(json.dumps([[a.act, a.target, a.why] for a in acts]))
print(json.dumps([[s.kind, s.user.username, s.reason,
                   round((s.until - s.created_at).total_seconds() / 86400)]
                  for s in Sanction.objects.filter(by__username={name!r})]))
"""


@pytest.fixture
def operator(site: RunningSite) -> tuple[str, dict[str, str]]:
    """Name and cookie of a new member of staff, with a second factor."""
    name = f"op-{secrets.token_hex(4)}"
    key = site.python(OPERATOR.format(name=name)).strip().splitlines()[-1]
    return name, {"name": "sessionid", "value": key, "url": site.url}


def dashboard(new_context, cookie: dict[str, str], **options) -> Page:
    context = new_context(**options)
    context.add_cookies([cookie])
    page = context.new_page()
    page.goto("/admin/")
    expect(figure(page, "online")).to_have_text(re.compile(r"\d"))
    return page


def figure(page: Page, name: str):
    return page.locator(f"[data-figure='{name}']")


def number(page: Page, name: str) -> float:
    return float(figure(page, name).inner_text())


def until_it_shows(page: Page, name: str, least: float, meanwhile) -> None:
    """`meanwhile` goes on until the figure has risen; gives up after a minute."""
    for _ in range(120):
        if number(page, name) >= least:
            return
        meanwhile()
        page.wait_for_timeout(500)
    raise AssertionError(f"{name} is still {number(page, name)}")


def test_the_figures_move_and_the_plots_are_drawn_without_a_reload(
    page: Page, new_context, operator
):
    board = dashboard(new_context, operator[1])
    board.evaluate("window.stillThere = true")
    solo(page, width=9, height=9, mines=10)
    row = board.locator("[data-table=running] tr", has_text=page.url.split("/")[-2])
    expect(row).to_contain_text("classic", timeout=60_000)
    # Matches of earlier tests end meanwhile, so the figure needn't rise by one.
    until_it_shows(board, "matches", 1, lambda: None)
    flags = iter(range(1000))
    until_it_shows(board, "moves", 0.1, lambda: click(page, 70 + next(flags) % 10, button="right"))
    expect(figure(board, "p99")).to_have_text(re.compile(r"\d.* ms"))
    expect(board.locator("[data-table=processes] tbody")).to_contain_text("worker")
    line = board.locator("figure[data-lines=matches] path.l1").first
    for _ in range(60):  # a point is drawn when its ten seconds are over
        if line.count():
            break
        board.get_by_role("button", name="Last hour").click()
        board.wait_for_timeout(500)
    assert len(line.get_attribute("d") or "") > 5
    box = board.locator("figure[data-lines=matches] svg").bounding_box()
    assert box["width"] > 100
    assert board.evaluate("window.stillThere")


def test_the_dashboard_speaks_german(new_context, operator):
    board = dashboard(new_context, operator[1], locale="de-DE")
    expect(figure(board, "queues-state")).to_have_text("Offen.")
    expect(figure(board, "over-kinds")).to_contain_text("zu langsam")
    expect(figure(board, "online-kinds")).to_contain_text("Gäste")
    expect(board.locator("figure[data-lines='online waiting'] .key").nth(1)).to_have_text("wartend")


def test_acts_of_staff_reach_people_and_are_recorded(
    page: Page, new_context, operator, site: RunningSite, complaints
):
    name, cookie = operator
    board = dashboard(new_context, cookie)
    other = new_context().new_page()
    address = together(page, other, mode="battleship")
    match = address.split("/")[-2]
    victim = other.locator("html").get_attribute("data-user")

    announce = board.locator("form", has=board.get_by_label("Message"))
    announce.get_by_label("Message").fill("Tea at five & <b>cake</b>")
    announce.get_by_label("Why").fill("a friendly word")
    announce.get_by_role("button", name="Announce").click()
    expect(board.get_by_text("Done and recorded.")).to_be_visible()
    for person in (page, other):
        expect(person.get_by_text("Tea at five & <b>cake</b>").first).to_be_visible()

    try:
        maintenance = board.locator(
            "form", has=board.get_by_role("button", name="Close the queues")
        )
        maintenance.get_by_label("Why").fill("a release")
        maintenance.get_by_role("button", name="Close the queues").click()
        expect(figure(board, "queues-state")).to_contain_text("Closed for maintenance")
    finally:  # the site is shared with other tests
        maintenance.get_by_label("Why").fill("released")
        maintenance.get_by_role("button", name="Open the queues").click()
    expect(figure(board, "queues-state")).to_have_text("Open.")

    board.locator("[data-table=running]").get_by_role("link", name=match).click()
    expect(board.locator("#state")).to_contain_text("Live")
    expect(board.locator("#boards canvas")).to_have_count(2)
    board.get_by_label("Why").fill("stuck")
    board.get_by_role("button", name="Abort").click()
    expect(board.get_by_text("Done and recorded.")).to_be_visible()
    for person in (page, other):
        expect(person.get_by_role("dialog", name="Result")).to_contain_text("No result")

    board.get_by_role("link", name=victim, exact=True).click()
    kick = board.locator("form", has=board.get_by_role("button", name="Kick"))
    kick.get_by_label("Why").fill("calm down")
    kick.get_by_role("button", name="Kick").click()
    expect(board.get_by_text("Done and recorded.")).to_be_visible()
    ban = board.locator("form", has=board.get_by_role("button", name="Ban"))
    ban.get_by_label("Why").fill("cheated at tea")
    ban.get_by_label("For").select_option("week")
    ban.get_by_role("button", name="Ban").click()
    expect(board.get_by_text("Done and recorded.")).to_be_visible()
    expect(board.get_by_text("in force")).to_be_visible()
    other.goto("/history/")
    expect(other).to_have_url(re.compile("/accounts/login/"))

    acts, sanctions = map(json.loads, site.python(DONE.format(name=name)).strip().splitlines()[-2:])
    assert [act for act in acts if act[0] != "watch"] == [
        ["announce", "", "a friendly word"],
        ["close-queues", "", "a release"],
        ["open-queues", "", "released"],
        ["abort", match, "stuck"],
        ["kick", victim, "calm down"],
        ["ban", victim, "cheated at tea"],
    ]
    assert ["watch", match, ""] in acts
    assert sanctions == [["ban", victim, "cheated at tea", 7]]
    complaints.clear()  # the sockets of a banned user are refused


def test_a_player_is_reported_from_the_result(page: Page, new_context):
    other = new_context().new_page()
    together(page, other, mode="battleship")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    name = other.locator("html").get_attribute("data-user")
    page.get_by_role("dialog", name="Result").get_by_role("link", name=f"Report {name}").click()
    expect(page.get_by_label("Player")).to_have_value(name)
    expect(page.get_by_label("Match, if it happened in one")).not_to_have_value("")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("A moderator will look into it.")).to_be_visible()
