"""The lists of the admin fit a screen of 1280 pixels, with rows whose texts are long."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import BrowserContext

from tests.running_site import RunningSite

ROWS = """
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from accounts.models import Rating, RatingChange, Token, User
from games.models import Match, Seat
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct

boss = User.objects.create_superuser("TheBossOfTheSite_123")
Authenticator.objects.create(user=boss, type="totp", data={"secret": "unused"})
client = Client()
client.force_login(boss)
long = "A reason that somebody wrote down with care, in more words than are needed. " * 4
for i in range(3):
    name = f"AVeryLongName_{i}_" + "w" * 14
    user = User.objects.create(username=name[:20], email=f"{name.lower()}@long.example.org")
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    match = Match.objects.create(id=f"width{i:07}", mode="area-attack", rules_version=1,
        rated=True, source="tournament", options={"size": 40}, reason="last_one_left")
    for number, one in enumerate((user, boss)):
        Seat.objects.create(match=match, number=number, user=one, name=one.username,
            kind="registered")
    Rating.objects.create(user=user, mode="area-attack", mu=25.123456, sigma=8.123, shown=1234)
    RatingChange.objects.create(user=user, mode="area-attack", match_id=match.pk, mu=25, sigma=8,
        before=1234.5, after=1250.25)
    Token.objects.create(user=user, name="the bot in the cellar " * 2, digest=f"width-{i}",
        scopes=["play", "read", "challenge"])
    Report.objects.create(reporter=boss, player=user, match=match, reason="cheating", text=long)
    Sanction.objects.create(user=user, kind="mute", reason=long[:200], by=boss,
        until=timezone.now())
    DeviceSeen.objects.create(user=user, device_hash=f"{i:064}")
    StaffAct.objects.create(by=boss, by_name=boss.username, act="mute", target=user.username,
        why=long[:200])
print(client.session.session_key)
for model in admin.site._registry:
    print(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"))
"""

WIDE = """() => {
  const parts = "html, #content, #changelist .results, #result_list";
  return [...document.querySelectorAll(parts)].flatMap((one) => {
    const { right } = one.getBoundingClientRect();
    const fits = one.scrollWidth <= one.clientWidth + 1 && right <= innerWidth;
    return fits ? [] : [`${one.id || one.className || one.tagName}: ${one.scrollWidth}, ${right}`];
  });
}"""


def test_every_list_of_the_admin_fits(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    key, *lists = site.python(ROWS).split()
    assert len(lists) >= 10
    context = new_context(viewport={"width": 1280, "height": 800})
    context.add_cookies([{"name": "sessionid", "value": key, "url": site.url}])
    page = context.new_page()
    found = {}
    for path in lists:
        page.goto(path, wait_until="load")
        if wide := page.evaluate(WIDE):
            found[path] = wide
    assert not found, json.dumps(found, indent=1)
