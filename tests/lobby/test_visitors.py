"""Pages of a process are looked after together."""

from __future__ import annotations

import msgspec
import pytest
from django.db import OperationalError
from redis.asyncio import Redis

from games.redis import redis
from lobby import greeting, notices, presence, queue, visitors
from lobby.players import Player, player_of
from lobby.store import named, now_ms
from lobby.tickets import Matched, Wish
from tests.lobby.flow import matched
from tests.lobby.making import player
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)

TWO = Wish(mode="claim", size=2)


class Page:
    def __init__(self, player: Player) -> None:
        self.player = player
        self.waiting: str | None = None
        self.told: list[dict] = []

    def say(self, message: dict) -> None:
        self.told.append(message)

    def refuse(self, error) -> None:
        self.told.append({"type": "error", **error.as_json()})

    def tell_queued(self, ticket) -> None:
        self.waiting = ticket.id
        self.told.append({"type": "queued", "ticket": ticket.id})


@pytest.fixture
def commands(monkeypatch) -> list[str]:
    """The names of the commands that this test sends, apart from pipelines."""
    sent: list[str] = []
    execute = Redis.execute_command

    async def note(self, *args, **options):
        sent.append(args[0])
        return await execute(self, *args, **options)

    monkeypatch.setattr(Redis, "execute_command", note)
    return sent


@pytest.fixture
async def pages() -> list[Page]:
    here = visitors.visitors()
    made = [Page(player(n)) for n in range(50)]
    for page in made:
        here.enter(page.player, page)
    return made


async def test_presence_of_all_is_one_command(pages, commands) -> None:
    await visitors.visitors().report_presence()
    assert commands == ["TIME", "ZADD"]
    here = await presence.online([page.player.identity for page in pages], await now_ms())
    assert len(here) == 50


async def test_tickets_of_all_are_kept_alive_together(pages, commands) -> None:
    tickets = [await queue.join(page.player, [TWO]) for page in pages[:20]]
    for page, ticket in zip(pages, tickets, strict=False):
        page.waiting = ticket.id
        await queue.fade(ticket.player.identity)
    assert await queue.waiting() == []
    commands.clear()
    await visitors.visitors().look_after_tickets()
    assert commands == ["HGETALL", "HMGET", "TIME", "ZADD"]
    assert len(await queue.waiting()) == 20
    assert all(page.told == [] for page in pages)


async def test_a_ticket_from_elsewhere_is_told(pages) -> None:
    ticket = await queue.join(pages[0].player, [TWO])
    await visitors.visitors().look_after_tickets()
    assert pages[0].told == [{"type": "queued", "ticket": ticket.id}]
    assert pages[1].told == []


async def test_a_lost_notice_of_a_match_is_made_up_for() -> None:
    pages = [Page(player_of(await new_user(name))) for name in ("Ann", "Bob")]
    for page in pages:
        visitors.visitors().enter(page.player, page)
    plan, tickets = await matched(pages[0].player, pages[1].player)
    for page, ticket in zip(pages, tickets, strict=False):
        page.waiting = ticket.id
    await visitors.visitors().look_after_tickets()
    assert [page.told[0]["match"] for page in pages] == [plan.match] * 2
    await visitors.visitors().look_after_tickets()
    assert [len(page.told) for page in pages] == [1, 1]


async def test_an_expired_ticket_is_told(pages) -> None:
    ticket = await queue.join(pages[0].player, [TWO])
    pages[0].waiting = ticket.id
    await redis().delete(named("tickets"), named("who"))
    await visitors.visitors().look_after_tickets()
    assert pages[0].told == [{"type": "unqueued", "reason": "expired"}]


async def test_a_page_that_queues_during_a_round_is_not_told_of_the_past(
    pages, monkeypatch
) -> None:
    ticket = await queue.join(pages[1].player, [TWO])
    read = queue.held_by_pages

    async def read_and_be_slow(identities):
        held = await read(identities)
        pages[0].tell_queued(await queue.join(pages[0].player, [TWO]))
        await queue.leave(ticket.id)  # and told so
        pages[1].waiting = None
        return held

    pages[1].waiting = ticket.id
    monkeypatch.setattr(queue, "held_by_pages", read_and_be_slow)
    await visitors.visitors().look_after_tickets()
    assert [message["type"] for message in pages[0].told] == ["queued"]
    assert pages[1].told == []


async def test_pages_of_a_large_wave_are_told_in_few_commands(pages, commands) -> None:
    for n, page in enumerate(pages):
        page.waiting = f"ticket{n}"
        matched = Matched(ticket=page.waiting, match="m", mode="claim")
        await redis().set(named(f"result:{page.waiting}"), msgspec.json.encode(matched))
    commands.clear()
    await visitors.visitors().look_after_tickets()
    assert all([m["type"] for m in page.told] == ["matched"] for page in pages)
    assert commands == ["HGETALL", "TIME"]  # and one pipeline


async def test_a_text_connection_keeps_its_own_ticket(pages) -> None:
    from msgspec.structs import replace

    ticket = await queue.join(replace(pages[0].player, text=True), [TWO], ttl_ms=queue.AWAY_MS)
    await visitors.visitors().look_after_tickets()
    assert await queue.waiting() == []
    await queue.refresh_all([replace(ticket, ttl_ms=15_000)], await now_ms())
    await queue.fade(ticket.player.identity)  # a page of the same player was closed
    assert len(await queue.waiting()) == 1
    assert pages[0].told == []


async def test_a_visitor_without_an_account_hears_the_counts_and_may_watch() -> None:
    async with visit(None, query="anonymous=1") as stranger:
        hello = await stranger.hear("hello")
        assert "you" not in hello
        await stranger.say(type="watch", on=True)
        assert (await stranger.hear("matches"))["live"] == []
        await notices.tell(notices.COUNTS, {"type": "presence", "online": 3})
        assert (await stranger.hear("presence"))["online"] == 3
        refused = await stranger.ask("queue", wishes=[{"mode": "claim"}])
        assert refused["code"] == "sign_in_first"


async def test_a_page_that_shows_no_counts_hears_none() -> None:
    ann = await new_user("Ann")
    async with visit(ann) as shows, visit(ann, query="counts=0") as other:
        await shows.hear("hello")
        await other.hear("hello")
        await notices.tell(notices.COUNTS, {"type": "presence", "online": 3})
        await notices.tell(notices.user_group(ann.pk), {"type": "announce", "text": "after it"})
        await shows.hear("presence", online=3)
        await other.hear("announce")
        assert all(message["type"] != "presence" for message in other.heard)
        assert player_of(ann) in visitors.visitors()


async def test_a_page_closed_during_its_greeting_leaves_nothing_behind() -> None:
    ann = await new_user("Ann")
    async with visit(ann):
        pass
    async with visit(ann) as page:
        await page.hear("hello")
    assert player_of(ann) not in visitors.visitors()


async def test_a_page_that_cannot_be_greeted_is_closed_and_comes_back(monkeypatch) -> None:
    async def fails(player) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(greeting, "messages", fails)
    async with visit(await new_user("Ann")) as page:
        assert (await page.socket.receive_output())["code"] == 1011


async def test_asking_to_watch_twice_is_asking_once() -> None:
    async with visit(None, query="anonymous=1&counts=0") as page:
        for on in (True, True, False):
            await page.say(type="watch", on=on)
        await page.hear("matches")
        await page.hear("matches")
        await page.say(type="ping")
        await page.hear("pong")
        await notices.tell(notices.WATCHERS, {"type": "matches", "live": ["nothing"]})
        await notices.tell(notices.EVERYBODY, {"type": "announce", "text": "after it"})
        await page.hear("announce")
        assert all(message.get("live") != ["nothing"] for message in page.heard)
