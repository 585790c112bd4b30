"""Follow, the bell, the page with people, and a challenge that waits, on desktop and phone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web import devices
from tests.web.axe import serious_violations

SHOTS = os.environ.get("SHOTS", "")


def shot(page: Page, name: str) -> None:
    """With SHOTS=<folder>: a picture for people to look at."""
    if SHOTS:
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


@pytest.fixture
def players(site: RunningSite) -> dict[str, str]:
    """Session keys by name: three players with accounts, of whom Ann follows two; new ones for
    each test."""
    answer = site.python("""
import json, secrets
from accounts import following
from accounts.models import User
from django.test import Client
mark = secrets.token_hex(2)
users, keys = [], {}
for name in ("Ann", "Bob", "Cyd"):
    user = User.objects.create(username=f"{name}{mark}")
    client = Client()
    client.force_login(user)
    keys[user.username] = client.session.session_key
    users.append(user)
following.follow(users[0], users[2])
print(json.dumps(keys))
""")
    found: dict[str, str] = json.loads(answer.strip().splitlines()[-1])
    return found


def enter(new_context: Any, site: RunningSite, key: str, **screen: Any) -> Page:
    context = new_context(reduced_motion="reduce", **screen)
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page: Page = context.new_page()
    return page


@pytest.mark.parametrize("screen", ["desktop", "portrait"])
def test_follow_bell_and_who_is_here(site: RunningSite, new_context, players, screen: str):
    (ann, bob, cyd), keys = players, list(players.values())
    one = enter(new_context, site, keys[0], **devices.ALL[screen])
    two = enter(new_context, site, keys[1], **devices.ALL[screen])
    two.goto("/watch/")
    expect(two.locator("[data-bell-count]")).to_be_hidden()
    # Ann finds Bob by the beginning of the name, and follows from the profile.
    one.goto("/people/")
    one.get_by_role("textbox", name="Name of a player").fill(bob[:-1].lower())
    one.get_by_role("button", name="Find").click()
    one.get_by_role("link", name=bob, exact=True).first.click()
    follow = one.get_by_role("button", name=f"Follow {bob}", exact=True)
    follow.click()
    # Bob hears of it at once.
    expect(two.locator(".toast")).to_contain_text(f"{ann} follows you.")
    expect(one.get_by_role("button", name=f"Unfollow {bob}")).to_be_visible()
    expect(one.locator("[data-presence]")).to_contain_text("Online")
    shot(one, f"profile-{screen}")
    assert not serious_violations(one)
    # Bob finds it in the bell.
    expect(two.locator("[data-bell-count]")).to_have_text("1")
    two.locator("[data-bell] summary").click()
    expect(two.locator("[data-bell-list]")).to_contain_text(f"{ann} follows you.")
    shot(two, f"bell-{screen}")
    assert not serious_violations(two)
    expect(two.locator("[data-bell-count]")).to_be_hidden()
    two.get_by_role("link", name="All notifications").click()
    expect(two.get_by_role("listitem").filter(has_text=f"{ann} follows you.")).to_be_visible()
    shot(two, f"notifications-{screen}")
    assert not serious_violations(two)
    # Ann sees Bob come and go.
    one.goto("/people/")
    row = one.locator(f".person[data-name='{bob}']")
    expect(row).to_contain_text("Online")
    expect(one.locator(f".person[data-name='{cyd}']")).not_to_contain_text("Online")
    shot(one, f"people-{screen}")
    assert one.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not serious_violations(one)
    two.context.close()
    expect(row).not_to_contain_text("Online")


def test_a_challenge_waits_for_a_player_who_is_away(site: RunningSite, new_context, players):
    (ann, bob, _cyd), keys = players, list(players.values())
    one = enter(new_context, site, keys[0], **devices.DESKTOP)
    one.goto(f"/@{bob}/")
    one.get_by_role("button", name="Challenge", exact=True).click()
    dialog = one.get_by_role("dialog")
    dialog.get_by_label("Game").select_option("race")
    shot(one, "challenge-dialog")
    assert not serious_violations(one)
    dialog.get_by_role("button", name="Challenge").click()
    expect(one.locator("[data-note]")).to_have_text(
        f"{bob} is away. Your challenge is open for a day."
    )
    # Bob comes, on a phone: asked once, and then found in the bell and among the people.
    two = enter(new_context, site, keys[1], **devices.PORTRAIT)
    two.goto("/watch/")
    expect(two.locator(".toast")).to_contain_text(f"{ann} challenges you to Race.")
    expect(two.locator("[data-bell-count]")).to_have_text("1")
    two.goto("/people/")
    waiting = two.locator("[data-challenge]")
    expect(waiting).to_contain_text(f"{ann} challenges you to Race.")
    expect(two.locator(".toast")).to_have_count(0)
    shot(two, "challenge-waits")
    assert not serious_violations(two)
    waiting.get_by_role("button", name="Accept").click()
    for page in (one, two):
        page.wait_for_url("**/match/*/")


def test_one_tap_follows_and_another_blocks_after_a_match(new_context, site, players):
    from tests.web.matches import made, seated

    options = {"width": 9, "height": 9, "mines": 10}
    game = {"mode": "race", "kinds": ["registered"] * 2, "rated": False, "options": options}
    [(address, sessions)] = made(site, game)
    one, two = (new_context(reduced_motion="reduce").new_page() for _ in sessions)
    for page, key in zip((one, two), sessions, strict=True):
        seated(site, page, address, key)
        page.get_by_role("button", name="I’m ready").click()
    expect(one.locator("#match")).to_have_attribute("data-phase", "live")
    other = two.locator("html").get_attribute("data-user") or ""
    two.get_by_role("button", name="Give up").click()
    two.get_by_role("dialog").get_by_role("button", name="Give up").click()
    others = one.get_by_role("list", name="The other players")
    others.get_by_role("button", name=f"Follow {other}", exact=True).click()
    expect(others).to_contain_text(f"You follow {other}.")
    shot(one, "result")
    assert not serious_violations(one)
    others.get_by_role("button", name=f"Block {other}").click()
    expect(others).to_contain_text(f"You won’t be matched with {other} again.")
