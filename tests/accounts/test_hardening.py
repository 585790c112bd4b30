"""Attacks on the account pages fail."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings as django_settings
from django.core import mail
from django.db import connection
from django.test import AsyncClient, Client, RequestFactory

from accounts import tokens
from accounts.adapter import AccountAdapter
from accounts.models import Token, User
from accounts.settings_views import MOST_TOKENS
from minesite import health

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"
BAD_NEXT = ["http://[::1]@evil.example", "http://[::1", "//[x"]


@pytest.fixture
def anna() -> User:
    user = User.objects.create_user("anna", "anna@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.mark.parametrize("address", BAD_NEXT)
@pytest.mark.parametrize("page", ["login", "signup", "guest", "logout", "password/reset"])
def test_a_next_that_is_no_address_is_a_bad_request(client, anna, page, address):
    path = f"/accounts/{page}/"
    assert client.get(path, {"next": address}).status_code == 400
    posted = client.post(path, {"next": address, "login": "anna", "password": PASSWORD})
    assert posted.status_code in (302, 400)
    assert "evil" not in posted.headers.get("Location", "")


def test_two_sign_ups_of_one_guest_at_once_make_one_account(rf: RequestFactory):
    guest = User.objects.create_user("visitor", kind="guest")
    browser = Client()
    browser.force_login(guest, backend="django.contrib.auth.backends.ModelBackend")
    cookies = browser.cookies

    def sign_up(number: int) -> int:
        other = Client(raise_request_exception=False)
        other.cookies = cookies
        form = {"username": f"player{number}", "email": "", "password1": PASSWORD}
        try:
            return other.post("/accounts/signup/", form).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(sign_up, range(4)))
    assert all(status < 500 for status in answers), answers
    guest.refresh_from_db()
    assert guest.kind == "registered"


def test_a_guest_who_signed_up_a_moment_ago_is_sent_to_sign_in(rf: RequestFactory):
    guest = User.objects.create_user("visitor", kind="registered")
    request = rf.get("/")
    request.guest = guest
    with pytest.raises(ImmediateHttpResponse) as caught:
        AccountAdapter(request).new_user(request)
    assert caught.value.response["Location"] == "/accounts/login/"


def test_nobody_has_more_tokens_than_allowed_by_asking_at_once(anna):
    def make(number: int) -> None:
        try:
            with suppress(tokens.TooManyTokens):
                tokens.issue(anna, f"t{number}", ["read"], MOST_TOKENS)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(MOST_TOKENS + 15)))
    assert Token.objects.count() == MOST_TOKENS


def test_a_sign_up_does_not_tell_whose_address_it_is(anna):
    answers = []
    for number, email in enumerate(["anna@example.org", "nobody@example.org"]):
        form = {"username": f"player{number}", "email": email, "password1": PASSWORD}
        answer = Client().post("/accounts/signup/", form)
        answers.append((answer.status_code, answer.headers.get("Location")))
    assert answers[0] == answers[1]
    assert User.objects.get(username="player0").check_password(PASSWORD)  # as costly as any other
    assert all("anna" not in str(answer) for answer in answers)
    assert len(mail.outbox) >= 1


def test_wrong_passwords_from_elsewhere_do_not_lock_the_owner_out(anna, settings):
    settings.ACCOUNT_RATE_LIMITS = {}
    for _ in range(8):
        Client(REMOTE_ADDR="203.0.113.7").post(
            "/accounts/login/", {"login": "anna", "password": "wrong"}
        )
    locked = Client(REMOTE_ADDR="203.0.113.7").post(
        "/accounts/login/", {"login": "anna", "password": PASSWORD}
    )
    assert locked.status_code == 200  # that address has to wait
    owner = Client(REMOTE_ADDR="198.51.100.1").post(
        "/accounts/login/", {"login": "anna", "password": PASSWORD}
    )
    assert owner.status_code == 302


def test_a_changed_password_offers_to_revoke_the_tokens(client, anna):
    tokens.issue(anna, "bot", ["play"])
    client.force_login(anna, backend="allauth.account.auth_backends.AuthenticationBackend")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "at": 10**12}]
    session.save()
    form = {"oldpassword": PASSWORD, "password1": PASSWORD + "!", "password2": PASSWORD + "!"}
    page = client.post("/accounts/password/change/", form, follow=True)
    assert "Your API tokens still work" in page.content.decode()
    assert Token.objects.count() == 1
    assert client.post("/accounts/settings/tokens/revoke-all/").status_code == 302
    assert not Token.objects.exists()


@pytest.mark.asyncio
@pytest.mark.skipif(
    "sqlite" not in django_settings.DATABASES["default"]["ENGINE"], reason="one writer: SQLite"
)
async def test_healthz_tells_of_a_locked_database(monkeypatch):
    monkeypatch.setattr(health, "WRITES_WITHIN", 0.1)
    visitor = AsyncClient()

    async def database() -> str:
        return (await visitor.get("/healthz")).json()["database"]

    assert await database() == "up"
    path = Path(connection.settings_dict["NAME"])
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        assert await database() == "down"
    finally:
        writer.execute("ROLLBACK")
        writer.close()
    assert await database() == "up"


@pytest.mark.parametrize(
    ("password", "is_good"),
    [
        ("Minesite2026!", False),
        ("area-attack-1", False),
        ("minewarsminewars", False),
        ("48151623429", True),  # any characters will do
        ("my minesite at home", True),
    ],
)
def test_passwords_are_not_what_is_tried_first_here(client, password, is_good):
    form = {"username": "somebody", "email": "", "password1": password}
    client.post("/accounts/signup/", form)
    assert User.objects.filter(username="somebody").exists() is is_good


def test_sign_ins_are_logged_without_what_was_typed(client, anna, caplog):
    caplog.set_level("INFO", logger="accounts.access")
    client.post("/accounts/login/", {"login": "hunter22", "password": "wrong"})
    client.post("/accounts/login/", {"login": "anna", "password": PASSWORD})
    client.post("/accounts/logout/")
    said = [record.getMessage() for record in caplog.records if record.name == "accounts.access"]
    assert said == [
        "a sign-in failed, from 127.0.0.1",
        f"account {anna.pk} signed in from 127.0.0.1",
        f"account {anna.pk} signed out",
    ]


@pytest.mark.parametrize("word", ["128", "foo", "admin:index"])
def test_a_new_guest_whose_next_is_a_bare_word_goes_to_the_front_page(client, word):
    answer = client.post("/accounts/guest/", {"next": word}, headers={"accept": "text/html"})
    assert (answer.status_code, answer["Location"]) == (302, "/")
