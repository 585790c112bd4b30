"""Devices in the settings: who may have them, which are taken, when they are forgotten."""

from __future__ import annotations

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.test import Client

from accounts import push
from accounts.models import PushSubscription, User
from tests.in_step import InStep
from tests.push.service import Browser, point, unb64

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
PASSWORD = "correct-horse-7"
PAGE = "/accounts/settings/notifications/"


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", "a@example.org", PASSWORD)


def signed_in(user: User, agent: str = "Mozilla/5.0 (X11; Linux) Firefox/130.0") -> Client:
    client = Client(headers={"user-agent": agent})
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def browser(name: str = "one") -> Browser:
    return Browser(f"https://push.example.org/{name}")


def switch_on(client: Client, device: Browser, **more):
    body = {**device.subscription, **more}
    return client.post(f"{PAGE}on/", body, content_type="application/json")


def test_the_page_has_the_public_half_of_the_key(anna, settings):
    key = signed_in(anna).get(PAGE).context["key"]
    private = ec.derive_private_key(int.from_bytes(unb64(settings.PUSH_KEY)), ec.SECP256R1())
    assert unb64(key) == point(private.public_key())
    assert settings.PUSH_KEY not in signed_in(anna).get(PAGE).content.decode()


def test_devices_are_listed_and_turned_off_one_by_one_or_together(anna):
    client = signed_in(anna)
    devices = [browser(name) for name in ("one", "two", "three")]
    for device in devices:
        assert switch_on(client, device).status_code == 200
    listed = client.get(PAGE).context["devices"]
    assert [each["endpoint"] for each in listed] == [d.endpoint for d in reversed(devices)]
    assert {each["device"] for each in listed} == {"Firefox on Linux"}
    client.post(f"{PAGE}{listed[0]['pk']}/off/")
    assert {d.endpoint for d in anna.push_subscriptions.all()} == {
        devices[0].endpoint, devices[1].endpoint
    }  # fmt: skip
    client.post(f"{PAGE}off/")
    assert not anna.push_subscriptions.exists()


def test_nobody_turns_off_the_devices_of_others(anna):
    bert = User.objects.create_user("bert", "b@example.org", PASSWORD)
    switch_on(signed_in(anna), browser())
    device = PushSubscription.objects.get()
    client = signed_in(bert)
    assert client.post(f"{PAGE}{device.pk}/off/").status_code == 404
    client.post(f"{PAGE}off/")
    assert anna.push_subscriptions.get() == device


def test_a_browser_belongs_to_the_player_who_switched_it_on_last(anna):
    bert = User.objects.create_user("bert", "b@example.org", PASSWORD)
    device = browser()
    switch_on(signed_in(anna), device)
    switch_on(signed_in(bert), device)
    assert PushSubscription.objects.get().user == bert


def test_the_oldest_device_makes_room(anna):
    client = signed_in(anna)
    for number in range(push.MOST_DEVICES + 2):
        assert switch_on(client, browser(str(number))).status_code == 200
    kept = [device.endpoint.rpartition("/")[2] for device in anna.push_subscriptions.all()]
    assert kept == [str(number) for number in range(push.MOST_DEVICES + 1, 1, -1)]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_two_devices_at_once_stay_within_the_limit(anna):
    """The second comes when the first has looked for the oldest, and not removed it yet."""

    def add(name: str) -> None:
        raw = json.dumps(browser(name).subscription).encode()
        push.subscribe(anna, raw, session_key=name, language="en", user_agent="")

    for number in range(push.MOST_DEVICES):
        add(str(number))
    InStep[None](lambda sql: "OFFSET" in sql).run(lambda: add("first"), lambda: add("second"))
    kept = [device.endpoint.rpartition("/")[2] for device in anna.push_subscriptions.all()]
    assert len(kept) == push.MOST_DEVICES
    assert {"first", "second"} < {*kept}


def test_renewing_notes_the_language_and_switches_nothing_on(anna):
    client = signed_in(anna)
    device = browser()
    assert switch_on(client, device, renew=True).status_code == 200
    assert not anna.push_subscriptions.exists()
    switch_on(client, device)
    assert anna.push_subscriptions.get().language == "en"
    client.post("/i18n/setlang/", {"language": "fr"})
    switch_on(client, device, renew=True)
    assert anna.push_subscriptions.get().language == "fr"
    bert = User.objects.create_user("bert", "b@example.org", PASSWORD)
    switch_on(signed_in(bert), device, renew=True)
    assert anna.push_subscriptions.exists()


def test_guests_and_visitors_have_none():
    client = Client()
    assert client.get(PAGE)["Location"].startswith("/accounts/login/")
    assert switch_on(client, browser()).status_code == 302
    client.force_login(User.objects.create_user("Guest_7", kind="guest"))
    assert client.get(PAGE)["Location"] == "/accounts/signup/"
    answer = switch_on(client, browser())
    assert (answer.status_code, answer.json()["code"]) == (403, "registered_only")
    assert not PushSubscription.objects.exists()


NOT_PUBLIC = [
    "http://push.example.org/x",
    "https://push.example.org:8443/x",
    "https://localhost/x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://[::1]/x",
    "https://redis:6379/x",
    "https://user@push.example.org/x",
    "https://push.example.org",
    "https://push.example.org/x y",
    "https://push.example.org/x\r\nHost: other",
    "https://push.example.org/\u00e9",
    "https://push.example.org/" + "x" * 1000,
    "ftp://push.example.org/x",
    "",
]


@pytest.mark.parametrize("endpoint", NOT_PUBLIC)
def test_an_address_that_is_no_public_push_service_is_refused(anna, endpoint):
    answer = switch_on(signed_in(anna), Browser(endpoint))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_subscription")
    assert not PushSubscription.objects.exists()


GOOD = browser().subscription
OFF_CURVE = base64.urlsafe_b64encode(b"\x04" + b"\x01" * 64).decode().rstrip("=")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        {**GOOD, "keys": {}},
        {**GOOD, "keys": {**GOOD["keys"], "auth": "short"}},
        {**GOOD, "keys": {**GOOD["keys"], "auth": "A" * 43}},
        {**GOOD, "keys": {**GOOD["keys"], "p256dh": "A" * 87}},
        {**GOOD, "keys": {**GOOD["keys"], "p256dh": OFF_CURVE}},
        {**GOOD, "keys": {**GOOD["keys"], "p256dh": 7}},
        {**GOOD, "endpoint": 7},
    ],
)
def test_what_no_browser_would_send_is_refused(anna, body):
    raw = body if isinstance(body, bytes) else json.dumps(body)
    answer = signed_in(anna).post(f"{PAGE}on/", raw, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_subscription")
    assert not PushSubscription.objects.exists()


def test_keys_with_padding_are_the_same_keys(anna):
    device = browser()
    keys = device.subscription["keys"]
    padded = {"p256dh": f"{keys['p256dh']}=", "auth": f"{keys['auth']}=="}
    assert switch_on(signed_in(anna), device, keys=padded).status_code == 200
    stored = anna.push_subscriptions.get()
    assert (stored.p256dh, stored.auth) == (keys["p256dh"], keys["auth"])
    assert len(push.decoded(stored.p256dh)) == 65


def test_signing_out_ends_the_notifications_of_that_device_alone(anna):
    here, there = signed_in(anna), signed_in(anna)
    switch_on(here, browser("here"))
    switch_on(there, browser("there"))
    here.post("/accounts/logout/")
    assert anna.push_subscriptions.get().endpoint.endswith("/there")


def test_a_new_password_and_a_ban_end_all_of_them(anna):
    for change in ("password", "is_active"):
        anna.is_active = True
        anna.save()
        switch_on(signed_in(anna), browser())
        assert anna.push_subscriptions.exists()
        if change == "password":
            anna.set_password("another-horse-8")
            anna.save()
            assert not anna.push_subscriptions.exists()
            anna.set_password(PASSWORD)
        else:
            anna.is_active = False
        anna.save()
        assert not anna.push_subscriptions.exists()


def test_they_are_in_the_export_without_keys_and_go_with_the_account(anna):
    client = signed_in(anna)
    device = browser()
    switch_on(client, device)
    raw = client.post("/accounts/settings/data/export/").content.decode()
    [exported] = json.loads(raw)["notifications"]
    assert exported["endpoint"] == device.endpoint
    assert "Firefox" in exported["user_agent"]
    assert device.subscription["keys"]["auth"] not in raw
    client.post("/accounts/settings/data/delete/", {"proof": PASSWORD})
    assert not PushSubscription.objects.exists()
