"""Text players choose their own names, and old rows may hold anything: pages escape them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat

pytestmark = pytest.mark.django_db(transaction=True)
HOSTILE = "<img src=x onerror=a()>'\"&\u202e{{7*7}}"


@pytest.fixture
def anna() -> User:
    anna = User.objects.create_user("anna")
    match = Match.objects.create(
        id="a" * 12, mode="battleship", rules_version=1, rated=False, source="text",
        status=Match.Status.OVER, commitment="0", ended_at=timezone.now(), duration_ms=1,
    )  # fmt: skip
    for number, (user, name) in enumerate([(anna, "anna"), (None, HOSTILE)]):
        Seat.objects.create(
            match=match, number=number, user=user, name=name, kind="guest", rank=number + 1,
            mode="battleship", ended_at=match.ended_at,
        )  # fmt: skip
    return anna


@pytest.mark.parametrize("path", ["/@anna/", "/history/", "/history/?opponent=%3Cimg%20src"])
def test_seat_names_are_escaped(client, anna, path):
    client.force_login(anna)
    page = client.get(path).content.decode()
    assert "<img src=x" not in page
    assert "onerror=a()&gt;" in page or "?" in path
    assert ">49<" not in page


@pytest.mark.parametrize("path", ["/@%3Cscript%3E/", "/@%00/", "/@%E2%80%AEanna/"])
def test_nobody_has_a_hostile_profile(client, path):
    page = client.get(path)
    assert page.status_code == 404
    assert "<script>" not in page.content.decode().replace('<script type="', "")
