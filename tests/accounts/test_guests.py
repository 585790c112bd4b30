"""Guests who sign up, and guests who turn out to have an account."""

from __future__ import annotations

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.models import User
from games.models import Match, Seat

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def guest(client: Client) -> User:
    client.post("/accounts/guest/")
    user = User.objects.get()
    user.preferences = {"palette": "safe"}
    user.save()
    match = Match.objects.create(
        id="a" * 12, mode="race", rules_version=1, rated=False, source="queue", commitment="0"
    )
    Seat.objects.create(match=match, number=0, user=user, name=user.username, kind="guest")
    return user


def sign_up(client: Client, name: str, **more: str):
    fields = {"username": name, "password1": "correct-horse-7", **more}
    return client.post("/accounts/signup/", fields)


def test_the_sign_up_page_offers_the_guest_their_name(client, guest):
    page = client.get("/accounts/signup/").content.decode()
    assert f'value="{guest.username}"' in page
    assert f'data-user="{guest.username}"' in page


@pytest.mark.parametrize("change", [str, str.lower, lambda name: "Fresh_Name"])
def test_signing_up_keeps_row_history_settings_and_session(client, guest, change):
    name = change(guest.username)
    assert sign_up(client, name, email="a@example.org").status_code == 302
    user = User.objects.get()
    assert (user.pk, user.username, user.kind) == (guest.pk, name, "registered")
    assert user.preferences == {"palette": "safe"}
    assert user.check_password("correct-horse-7")
    assert user.seats.count() == 1
    assert client.get("/style/").context["user"] == user
    assert Client().login(username=name, password="correct-horse-7")
    assert user.emailaddress_set.get().email == "a@example.org"


def test_a_name_of_somebody_else_is_refused_and_nothing_changes(client, guest):
    User.objects.create_user("anna", password="x")
    page = sign_up(client, "ANNA")
    assert page.status_code == 200
    guest.refresh_from_db()
    assert guest.kind == "guest"
    assert client.get("/style/").context["user"] == guest


def test_a_guest_with_an_account_leaves_the_guest_behind(client, guest):
    anna = User.objects.create_user("anna", password="correct-horse-7")
    answer = client.post("/accounts/login/", {"login": "anna", "password": "correct-horse-7"})
    assert answer.status_code == 302
    assert client.get("/style/").context["user"] == anna
    assert User.objects.get(pk=guest.pk).kind == "guest"
    assert guest.seats.count() == 1
    assert not anna.seats.exists()


def test_a_wrong_password_leaves_the_guest_signed_in(client, guest):
    page = client.post("/accounts/login/", {"login": "nobody-here", "password": "x"})
    assert page.status_code == 200
    assert client.get("/style/").context["user"] == guest


@pytest.mark.parametrize("path", ["email/", "password/change/", "password/set/", "2fa/"])
def test_pages_of_an_account_lead_a_guest_to_the_sign_up(client, guest, path):
    assert client.get(f"/accounts/{path}")["Location"] == "/accounts/signup/"


def test_a_guest_can_sign_out_and_is_not_offered_as_a_row_again(client, guest):
    client.post("/accounts/logout/")
    assert not client.get("/style/").context["user"].is_authenticated
    sign_up(client, "Fresh_Name")
    assert User.objects.count() == 2


def test_a_guests_session_is_listed_once(client, guest):
    session = UserSession.objects.get(user=guest)
    assert session.session_key == client.session.session_key
    sign_up(client, guest.username)
    assert [s.session_key for s in UserSession.objects.all() if s.exists()] == [
        client.session.session_key
    ]


def test_too_many_guests_of_one_address_are_told_which_limit_and_how_long(settings):
    settings.GUESTS_PER_ADDRESS = 1
    asked = {"headers": {"accept": "application/json"}}
    assert Client().post("/accounts/guest/", **asked).status_code == 200
    refused = Client().post("/accounts/guest/", **asked)
    assert (refused.status_code, refused["Retry-After"]) == (429, "600")
    assert refused.json() == {"code": "too_many_requests", "limit": "guests", "retry_after": 600}
    page = Client().post("/accounts/guest/")
    assert (page.status_code, page["Retry-After"]) == (429, "600")
    assert b"A little slower, please" in page.content
    assert User.objects.count() == 1
