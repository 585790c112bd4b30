"""From the event to the device: what reaches a push service, signed and encrypted, and in which
words; what the worker does with devices that are gone, slow or too many."""

from __future__ import annotations

import asyncio
import ssl
import time

import pytest
from prometheus_client import REGISTRY

from accounts import push as subscriptions
from accounts.models import PushSubscription
from games.live.host import host
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.push import jobs, posting, sender
from games.push.jobs import Job
from games.push.kinds import OURS as KINDS
from games.push.posting import NotPosted, is_public, post
from lobby import challenges, creation, presence
from lobby.plans import Plan, Seated
from lobby.players import player_of
from tests.live.conftest import until
from tests.lobby.sockets import new_user
from tests.push.conftest import switch_on
from tests.push.service import PushService

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def job(user: int, kind: str = "matched", **more) -> Job:
    fields = {"mode": "race", **more.pop("fields", {})}
    return Job(**{"kind": kind, "user": user, "url": "/x/", "tag": "x", "fields": fields, **more})


def counted(kind: str, result: str) -> float:
    return REGISTRY.get_sample_value("minesite_push_total", {"kind": kind, "result": result}) or 0


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_arrives_signed_and_encrypted(service: PushService, worker, kind: str):
    ann = await new_user("Ann")
    phone = service.browser("phone")
    await switch_on(ann, phone)
    await jobs.add([job(ann.pk, kind, fields={"name": "Bob"}, url="/match/abc/", tag="t1")])
    await until(lambda: phone.shown)
    [shown] = phone.shown
    assert (shown["url"], shown["tag"]) == ("/match/abc/", "t1")
    assert "{" not in shown["title"] + shown["body"]
    assert "Race" in shown["title"] + shown["body"]
    assert int(service.headers[0]["TTL"]) == KINDS[kind].seconds
    assert service.claims[0]["k"] == subscriptions.public_key()


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "Bob challenges you to Area Attack."),
        ("de", "Bob fordert dich zu Area Attack heraus."),
        ("fr", "Bob vous défie : Area Attack."),
        ("es", "Bob te desafía: Area Attack."),
    ],
)
async def test_a_device_is_told_in_its_language(service: PushService, worker, language, title):
    ann = await new_user("Ann")
    phone = service.browser("phone")
    await switch_on(ann, phone, language)
    await jobs.add([job(ann.pk, "challenge", fields={"name": "Bob", "mode": "area-attack"})])
    await until(lambda: phone.shown)
    # French has a no-break space before the colon.
    assert " ".join(phone.shown[0]["title"].split()) == title


async def test_a_match_is_told_to_its_registered_players(service: PushService, worker):
    users = [await new_user(name) for name in ("Ann", "Bob")]
    guest = await new_user("Guest_1", kind="guest")
    browsers = [service.browser(user.username) for user in (*users, guest)]
    for user, browser in zip((*users, guest), browsers, strict=True):
        await switch_on(user, browser)
    seats = tuple(
        Seated(identity=f"u{u.pk}", name=u.username, kind=u.kind, user_id=u.pk)
        for u in (*users, guest)
    )
    plan = Plan(
        match="abcdefghijkl", mode="race", seats=seats, options={}, rated=False, source="queue"
    )
    await creation.create(plan)
    await until(lambda: browsers[0].shown and browsers[1].shown)
    assert browsers[1].shown == [
        {
            "title": "Your match is starting",
            "body": "Race",
            "url": "/match/abcdefghijkl/",
            "tag": "/match/abcdefghijkl/",
        }
    ]
    assert not browsers[2].shown
    assert len(service.asked) == 2


async def test_a_challenge_is_told_to_the_challenged_player_alone(service: PushService, worker):
    ann, bob = await new_user("Ann"), await new_user("Bob")
    browsers = [service.browser(user.username) for user in (ann, bob)]
    for user, browser in zip((ann, bob), browsers, strict=True):
        await switch_on(user, browser)
        await presence.seen(player_of(user))
    sent = await challenges.send(player_of(ann), "Bob", "race")
    await until(lambda: browsers[1].shown)
    [shown] = browsers[1].shown
    assert shown == {
        "title": "Ann challenges you to Race.", "body": "", "url": "/people/", "tag": sent.id
    }  # fmt: skip
    await challenges.cancel(player_of(ann), sent.id)
    await challenges.send(player_of(ann), "Bob", "race", rated=True)
    await until(lambda: len(browsers[1].shown) == 2)
    assert browsers[1].shown[1]["title"] == "Ann challenges you to a rated match of Race."
    assert not browsers[0].shown


async def test_a_turn_is_told_only_to_a_player_without_an_open_page(service: PushService, worker):
    ann, bob = await new_user("Ann"), await new_user("Bob")
    browsers = [service.browser(user.username) for user in (ann, bob)]
    for user, browser in zip((ann, bob), browsers, strict=True):
        await switch_on(user, browser)
    seats = [SeatInfo(user.pk, user.username, "registered") for user in (ann, bob)]
    match_id = await create_match("battleship", seats, {"first": 0}, rated=False, source="queue")
    one, two = [await SeatClient.open(match_id, seat) for seat in (0, 1)]
    for client in (one, two):
        assert (await client.act(place())).stored
    assert (await one.act({"type": "bomb", "cell": 0})).stored
    assert (await two.act({"type": "bomb", "cell": 0})).stored  # both look at it
    two.close()
    await until(lambda: not one.replica.state.controllers[1])
    assert (await one.act({"type": "bomb", "cell": 1})).stored
    await until(lambda: browsers[1].shown)
    url = f"/match/{match_id}/"
    turn = {"title": "Your turn", "body": "Battleship", "url": url, "tag": url}
    assert browsers[1].shown == [turn]
    assert not browsers[0].shown
    one.close()


def place() -> dict:
    ships = [
        {"cell": 10 * row, "length": length, "vertical": False}
        for row, length in enumerate((5, 4, 3, 3, 2))
    ]
    return {"type": "place", "ships": ships}


@pytest.mark.parametrize("status", [404, 410])
async def test_a_device_that_is_gone_is_forgotten(service: PushService, worker, status: int):
    ann = await new_user("Ann")
    old, new = service.browser("old"), service.browser("new")
    service.answers["old"] = b"HTTP/1.1 %d Gone\r\n\r\n" % status
    for browser in (old, new):
        await switch_on(ann, browser)
    await jobs.add([job(ann.pk)])
    await until(lambda: new.shown)
    async with asyncio.timeout(10):
        while await PushSubscription.objects.filter(endpoint=old.endpoint).aexists():
            await asyncio.sleep(0.01)
    assert await PushSubscription.objects.filter(endpoint=new.endpoint).aexists()


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (b"HTTP/1.1 500 Oops\r\n\r\n", "refused"),
        (b"HTTP/1.1 429 Slow down\r\n\r\n", "refused"),
        (b"HTTP/1.1 302 Found\r\nLocation: /other\r\n\r\n", "refused"),
        (b"HTTP/1.1 " + b"9" * 100_000, "failed"),
        (b"nonsense\r\n\r\n", "failed"),
        (b"", "failed"),
    ],
)
async def test_a_push_service_in_trouble_loses_nobody(
    service: PushService, worker, answer: bytes, result: str
):
    ann = await new_user("Ann")
    phone = service.browser("phone")
    service.answers["phone"] = answer
    await switch_on(ann, phone)
    before = counted("matched", result)
    await jobs.add([job(ann.pk)])
    await until(lambda: counted("matched", result) == before + 1)
    assert await PushSubscription.objects.acount() == 1
    assert service.asked == ["/phone"]  # a redirect is not followed


async def test_a_silent_push_service_holds_nobody_else_up(service: PushService, worker):
    ann, bob = await new_user("Ann"), await new_user("Bob")
    silent, phone = service.browser("silent"), service.browser("phone")
    service.answers["silent"] = None
    await switch_on(ann, silent)
    await switch_on(bob, phone)
    before = counted("matched", "failed")
    await jobs.add([job(ann.pk), job(bob.pk)])
    await until(lambda: phone.shown)
    service.closing.set()  # now the silent one hangs up
    await until(lambda: counted("matched", "failed") == before + 1)


async def test_a_push_service_has_limited_time_to_answer(
    service: PushService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(posting, "SECONDS", 0.01)
    service.answers["silent"] = None
    endpoint = subscriptions.parsed(service.browser("silent").endpoint)
    with pytest.raises(NotPosted, match="no answer in time"):
        await post(endpoint, {}, b"", ssl.create_default_context())


@pytest.mark.parametrize(
    ("contact", "sender_address", "told"),
    [
        ("https://example.org/about", "", "https://example.org/about"),
        ("anna@example.org", "", "mailto:anna@example.org"),
        ("", "Minesite <site@example.org>", "mailto:site@example.org"),
        ("http://example.org/about", "site@example.org", "mailto:site@example.org"),
    ],
)
async def test_push_services_are_told_whom_to_write_to(settings, contact, sender_address, told):
    settings.CONTACT, settings.DEFAULT_FROM_EMAIL = contact, sender_address
    assert sender.contact() == told


async def test_a_player_gets_so_many_notifications_in_a_minute(service: PushService, worker):
    ann, bob = await new_user("Ann"), await new_user("Bob")
    phone, other = service.browser("phone"), service.browser("other")
    await switch_on(ann, phone)
    await switch_on(bob, other)
    before = counted("matched", "limited")
    await jobs.add(job(ann.pk, tag=str(n)) for n in range(sender.MOST_PER_MINUTE + 3))
    await jobs.add([job(bob.pk)])
    await until(lambda: other.shown and len(phone.shown) == sender.MOST_PER_MINUTE)
    assert counted("matched", "limited") == before + 3


async def test_a_notification_that_waited_too_long_is_not_sent(service: PushService, worker):
    ann = await new_user("Ann")
    phone = service.browser("phone")
    await switch_on(ann, phone)
    await jobs.add([job(ann.pk, at=time.time() - 100), job(ann.pk, tag="new")])
    await until(lambda: phone.shown)
    assert [shown["tag"] for shown in phone.shown] == ["new"]


async def test_waiting_notifications_are_bounded_and_the_newest_stay(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(jobs, "MOST_WAITING", 3)
    for number in range(5):
        await jobs.add([job(number)])
    assert [each.user for each in await jobs.take(10, 1)] == [2, 3, 4]


async def test_a_message_that_is_too_long_is_not_sent(service: PushService):
    ann = await new_user("Ann")
    await switch_on(ann, service.browser("phone"))
    device = await PushSubscription.objects.aget()
    with pytest.raises(NotPosted):
        sender.message(job(ann.pk, tag="x" * 2000), device, service.origin)


async def test_a_private_address_is_never_connected_to(service: PushService, settings):
    endpoint = subscriptions.parsed(f"{service.origin}/phone")
    settings.PUSH_TO_PRIVATE_ADDRESSES = False
    with pytest.raises(NotPosted, match="private address"):
        await post(endpoint, {}, b"", ssl.create_default_context())
    assert service.asked == []


async def test_a_certificate_of_nobody_is_refused(
    service: PushService, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("SSL_CERT_FILE")
    endpoint = subscriptions.parsed(f"{service.origin}/phone")
    with pytest.raises(NotPosted, match=r"(?i)certificate"):
        await post(endpoint, {}, b"", ssl.create_default_context())
    assert service.asked == []


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("142.250.74.106", True),
        ("2a00:1450:4005:80b::200a", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.20.0.2", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.1.2.3", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:142.250.74.106", True),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
async def test_which_addresses_are_public(address: str, public: bool):
    assert is_public(address) is public


async def test_the_host_notifies_nobody_but_registered_players(service: PushService):
    """Guests and programs have no devices: nothing is put on the list for them."""
    seats = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]
    match_id = await create_match("battleship", seats, {"first": 0}, rated=False, source="queue")
    one, two = [await SeatClient.open(match_id, seat) for seat in (0, 1)]
    for client in (one, two):
        assert (await client.act(place())).stored
    two.close()
    await until(lambda: not one.replica.state.controllers[1])
    assert (await one.act({"type": "bomb", "cell": 1})).stored
    assert await jobs.take(10, 0.1) == []
    one.close()
    assert host().replicas
