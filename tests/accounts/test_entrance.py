"""Sign-up, confirmation, reset, second factor, limits, and the door of the admin."""

from __future__ import annotations

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core import mail
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct-horse-7"


def code_for(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def sign_in(client: Client, name: str = "anna", password: str = PASSWORD):
    return client.post("/accounts/login/", {"login": name, "password": password})


def link_in_last_mail() -> str:
    found = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)
    assert found
    return found[1]


def test_sign_up_sends_a_link_that_confirms_the_address(client):
    client.post(
        "/accounts/signup/",
        {"username": "anna", "email": "a@example.org", "password1": PASSWORD},
    )
    assert not EmailAddress.objects.get().verified
    client.post(link_in_last_mail())
    assert EmailAddress.objects.get().verified


def test_a_forgotten_password_is_set_anew_by_mail(client):
    anna = User.objects.create_user("anna", "a@example.org", PASSWORD)
    EmailAddress.objects.create(user=anna, email=anna.email, verified=True, primary=True)
    client.post("/accounts/password/reset/", {"email": "a@example.org"})
    form = client.get(link_in_last_mail(), follow=True)
    new = "another-horse-8"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    assert sign_in(Client(), password=PASSWORD).status_code == 200
    assert sign_in(Client(), password=new).status_code == 302


def enrol(client: Client) -> str:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    form = client.get("/accounts/2fa/totp/activate/").context["form"]
    client.post("/accounts/2fa/totp/activate/", {"code": code_for(form.secret)})
    return form.secret


def test_the_second_factor_is_asked_for_of_guests_at_the_entrance_too():
    User.objects.create_user("anna", password=PASSWORD)
    first = Client()
    sign_in(first)
    enrol(first)
    codes = first.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    assert len(codes) == 10
    client = Client()
    client.post("/accounts/guest/")
    assert sign_in(client)["Location"].startswith("/accounts/2fa/authenticate/")
    assert client.get("/style/").context["user"].kind == "guest"
    page = client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert page.status_code == 200
    client.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert client.get("/style/").context["user"].username == "anna"


def test_guessing_passwords_is_limited():
    User.objects.create_user("anna", password=PASSWORD)
    client = Client()
    answers = [sign_in(client, password="wrong") for _ in range(12)]
    assert b"Too many failed" in answers[-1].content
    assert sign_in(client).status_code == 200


@pytest.fixture
def staff() -> User:
    return User.objects.create_superuser("boss_lady", password=PASSWORD)


def test_the_admin_has_no_sign_in_of_its_own(client, staff):
    assert client.get("/admin/")["Location"] == "/accounts/login/?next=/admin/"
    posted = client.post("/admin/login/", {"username": "boss_lady", "password": PASSWORD})
    assert posted["Location"] == "/accounts/login/?next=/admin/"
    assert "_auth_user_id" not in client.session


def test_players_are_refused_at_the_admin(client):
    User.objects.create_user("anna", password=PASSWORD)
    sign_in(client)
    assert client.get("/admin/accounts/").status_code == 403


def test_staff_need_a_second_factor(client, staff, settings):
    settings.STAFF_SECOND_FACTOR = True
    sign_in(client, "boss_lady")
    assert client.get("/admin/auth/")["Location"] == "/accounts/2fa/"
    assert b"The admin requires a second factor" in client.get("/accounts/2fa/").content
    enrol(client)
    assert Authenticator.objects.filter(type="totp", user=staff).exists()
    assert client.get("/admin/password_change/").status_code == 200


def test_staff_return_to_the_page_they_came_for(client, staff, settings):
    settings.STAFF_SECOND_FACTOR = True
    sign_in(client, "boss_lady")
    client.get("/admin/accounts/user/?q=anna")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    form = client.get("/accounts/2fa/totp/activate/").context["form"]
    wrong = client.post("/accounts/2fa/totp/activate/", {"code": "000000"})
    assert wrong.status_code == 200
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_for(form.secret)})
    assert done["Location"] == "/admin/accounts/user/?q=anna"
    page = client.get(done["Location"])
    assert b'href="/accounts/2fa/recovery-codes/"' in page.content


def test_players_see_their_recovery_codes_after_the_second_factor(client):
    User.objects.create_user("anna", password=PASSWORD)
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    form = client.get("/accounts/2fa/totp/activate/").context["form"]
    done = client.post("/accounts/2fa/totp/activate/", {"code": code_for(form.secret)})
    assert done["Location"] == "/accounts/2fa/recovery-codes/"


@pytest.mark.parametrize(
    ("contact", "link"),
    [("help@example.org", "mailto:help@example.org"), ("https://example.org/c", "")],
)
def test_account_pages_name_the_contact(client, settings, contact, link):
    settings.CONTACT = contact
    page = client.get("/accounts/password/reset/").content.decode()
    assert page.count(f'href="{link or contact}"') == 2  # in the text and in the footer
    settings.CONTACT = ""
    assert "Contact" not in client.get("/accounts/password/reset/").content.decode()
