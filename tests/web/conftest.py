"""Fixtures that several files of browser tests share."""

from __future__ import annotations

import pytest

from tests.running_site import RunningSite


@pytest.fixture(scope="module")
def cookie(site: RunningSite) -> dict[str, str]:
    """Of a player who is signed in and stands in a leaderboard."""
    key = site.python(
        "from accounts.models import Rating, User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "user, _ = User.objects.get_or_create(username='Surveyor')\n"
        "rating = {'mu': 25, 'sigma': 2, 'shown': 1200, 'games': 30, 'board': user.board}\n"
        "Rating.objects.get_or_create(user=user, mode='race', defaults=rating)\n"
        "client.force_login(user)\n"
        "print(client.session.session_key)"
    ).strip()
    return {"name": "sessionid", "value": key, "url": site.url}


@pytest.fixture(scope="module")
def replays(site: RunningSite) -> list[str]:
    """The page of a finished match of every mode."""
    made = site.python(
        "from tests.web import finished\nfor make in finished.ALL.values(): print(make())"
    )
    return [f"/match/{match}/" for match in made.split()]
