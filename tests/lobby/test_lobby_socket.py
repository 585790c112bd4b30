"""From the socket to the match and back, with the worker's job running beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from accounts import tokens
from games.live.host import Host, host
from games.models import Match, Seat
from games.redis import key as live_key
from games.redis import redis
from lobby import endings, maintenance, matchmaker, outcomes, presence, queue, socket, watch
from lobby.errors import LobbyError
from lobby.players import player_of, text_guest
from lobby.store import named, now_ms
from lobby.tickets import Wish
from tests.lobby.flow import DUEL, act, until
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)

WISH = {"mode": "claim", "size": 2}


@asynccontextmanager
async def running_worker() -> AsyncIterator[None]:
    jobs = [asyncio.create_task(job(asyncio.Event())) for job in (matchmaker.run, endings.run)]
    try:
        yield
    finally:
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)


@pytest.fixture
async def worker(monkeypatch) -> AsyncIterator[None]:
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 0.05)
    async with running_worker():
        yield


async def test_a_stranger_is_told_to_begin_as_a_guest() -> None:
    async with visit(None) as stranger:
        error = await stranger.hear("error")
        assert (error["code"], error["guest_url"]) == ("sign_in_first", "/accounts/guest/")
        assert await stranger.socket.receive_output() == {"type": "websocket.close", "code": 4003}


async def test_a_database_that_fails_leaves_the_pairing_to_the_next_wave(
    worker, monkeypatch
) -> None:
    failures = asyncio.Queue[None]()
    make_matches = matchmaker.make_matches

    async def fails(*_: object) -> None:
        failures.put_nowait(None)
        raise OperationalError("database is locked")

    monkeypatch.setattr(matchmaker, "make_matches", fails)
    async with visit(await new_user("Ann")) as one:
        await one.say(type="queue", wishes=[WISH], bot=True)
        await failures.get()
        monkeypatch.setattr(matchmaker, "make_matches", make_matches)
        assert (await one.hear("matched"))["seat"] == 0


async def test_a_page_that_is_moved_to_another_process_keeps_its_ticket() -> None:
    """Unlike a page that is closed: then the ticket isn't matched until another page is here."""

    async def is_left() -> bool:
        return ticket not in [one.id for one in await queue.waiting()]

    async def has_nothing_to_do() -> bool:
        return asyncio.all_tasks() <= tasks

    for moves in (False, True):
        tasks = asyncio.all_tasks()
        async with visit(await new_user(f"Ann{moves}")) as page:
            await page.say(type="queue", wishes=[WISH])
            ticket = (await page.hear("queued"))["ticket"]
            if moves:
                moving = asyncio.create_task(host().move_sockets())
                await page.hear("reconnect")
        if moves:
            await moving
            await until(has_nothing_to_do)
            assert not await is_left()
        else:
            await until(is_left)


async def test_of_many_who_ask_at_once_some_wait_for_their_turn(monkeypatch) -> None:
    """More at once would wait for a connection to Redis until they fail."""
    monkeypatch.setattr(socket, "AT_ONCE", 2)
    under_way, most, carry_out = 0, 0, socket.requests.carry_out

    async def note(*given: object) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await carry_out(*given)
        under_way -= 1

    monkeypatch.setattr(socket.requests, "carry_out", note)
    users = [await new_user(f"P{n}") for n in range(6)]
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(visit(user)) for user in users]
        for page in pages:
            await page.say(type="queue", wishes=[WISH])
        for page in pages:
            await page.hear("queued")
    assert most == 2


async def test_two_queue_and_are_matched(worker) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob", "guest")
    async with visit(ann) as one, visit(bob) as other:
        hello = await one.hear("hello")
        assert hello["you"]["name"] == "Ann"
        assert hello["queues_open"]
        await one.say(type="queue", wishes=[WISH, {"mode": "claim", "rated": True}])
        queued = await one.hear("queued")
        assert queued["queues"] == ["claim:2:casual", "claim:any:rated"]
        await other.say(type="queue", wishes=[{"mode": "claim"}])
        mine, yours = await one.hear("matched"), await other.hear("matched")
        assert mine["match"] == yours["match"]
        assert mine["url"] == f"/match/{mine['match']}/"
        assert (mine["seat"], yours["seat"]) == (0, 1)
        assert [p["name"] for p in mine["players"]] == ["Ann", "Bob"]
        match = await Match.objects.aget(pk=mine["match"])
        assert (match.source, match.rated) == ("queue", False)
        assert await queue.waiting() == []
        # In a match one does not queue.
        refused = await one.ask("queue", wishes=[WISH])
        assert (refused["code"], refused["match"]) == ("already_in_match", match.pk)
    async with visit(ann) as back:
        assert (await back.hear("return"))["match"] == match.pk


async def test_a_web_player_meets_a_text_player(worker) -> None:
    ann = await new_user("Ann")
    text = await queue.join(text_guest("Telnet"), [DUEL], bots="later", requeue=False)
    async with visit(ann) as web:
        await web.say(type="queue", wishes=[WISH])
        mine = await web.hear("matched")
        theirs = await queue.wait(text.id)
    assert theirs.match == mine["match"]
    assert (theirs.seat, mine["seat"]) == (0, 1)
    assert theirs.opponents == ["Ann"]


async def test_a_reload_keeps_the_place_and_a_closed_page_loses_it(worker) -> None:
    ann = await new_user("Ann")
    async with visit(ann) as page:
        await page.say(type="queue", wishes=[WISH])
        first = await page.hear("queued")
    async with visit(ann) as page:
        again = await page.hear("queued")
        assert (again["ticket"], again["queued_at"]) == (first["ticket"], first["queued_at"])
        await page.say(type="unqueue")
        assert (await page.hear("unqueued"))["reason"] == "left"
        assert (await page.ask("unqueue"))["code"] == "not_queued"
        await page.say(type="queue", wishes=[WISH])
        await page.hear("queued")
    await until(nobody_waits)
    assert await queue.drop_expired(await now_ms() + 5_500) != []


async def nobody_waits() -> bool:
    return await queue.waiting() == []


async def test_again_through_two_sockets(worker) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    async with visit(ann) as one, visit(bob) as other:
        for page in (one, other):
            await page.say(type="queue", wishes=[{**WISH, "rated": True}])
            await page.hear("queued")
            await until(past(await now_ms()))
        match_id = (await one.hear("matched", seat=0))["match"]
        await other.hear("matched", seat=1)
        for seat in (0, 1):
            await act(match_id, seat, {"type": "ready"})
        await act(match_id, 0, {"type": "surrender"})
        await one.hear("again", answers=[None, None])
        await one.say(type="again", match=match_id, yes=True)
        asked = await other.hear("again", answers=[True, None])
        assert asked["new"] is None
        await other.say(type="again", match=match_id, yes=True)
        new = (await one.hear("again", answers=[True, True]))["new"]
        assert (await one.hear("matched"))["match"] == new
        assert (await other.hear("matched"))["match"] == new
    again = await Match.objects.aget(pk=new)
    assert (again.previous_id, again.rated, again.source) == (match_id, True, "rematch")


async def test_a_bot_is_offered_and_joins_when_accepted(worker, settings) -> None:
    settings.BOT_OFFER_SECONDS = 0
    ann = await new_user("Ann")
    async with visit(ann) as page:
        await page.say(type="queue", wishes=[{**WISH, "rated": True}])
        ticket = (await page.hear("queued"))["ticket"]
        assert (await page.hear("bot_offer"))["ticket"] == ticket
        async with visit(ann) as reloaded:
            assert (await reloaded.hear("bot_offer"))["ticket"] == ticket
        await page.say(type="bot")
        matched = await page.hear("matched")
        assert [p["kind"] for p in matched["players"]] == ["registered", "house"]
    match = await Match.objects.aget(pk=matched["match"])
    assert not match.rated
    bot = await Seat.objects.select_related("user").aget(match=match, number=1)
    assert (bot.kind, bot.user.kind) == ("house", "house")


async def test_a_ticked_bot_does_not_wait_for_the_next_wave(monkeypatch) -> None:
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 3600)
    ann = await new_user("Ann")
    async with running_worker(), visit(ann) as page:
        await page.say(type="queue", wishes=[{"mode": "claim", "size": 4}], bot=True)
        matched = await page.hear("matched")
        kinds = [p["kind"] for p in matched["players"]]
        assert kinds == ["registered", "house", "house", "house"]
        assert len({p["name"] for p in matched["players"]}) == 4


async def test_solo_starts_at_once_even_while_waiting(worker) -> None:
    ann = await new_user("Ann")
    async with visit(ann) as page:
        await page.say(type="queue", wishes=[WISH])
        await page.hear("queued")
        await page.say(type="solo", options={"width": 9, "height": 9, "mines": 10})
        solo = await page.hear("matched")
        assert (solo["source"], solo["mode"], len(solo["players"])) == ("solo", "classic", 1)
        assert len(await queue.waiting()) == 1
        bad = await page.ask("solo", options={"width": -1})
        assert bad["code"] == "bad_options"
        assert (await page.ask("solo", mode="claim"))["code"] == "bad_size"


async def test_presence_is_told_when_it_changes(worker, monkeypatch) -> None:
    monkeypatch.setattr(presence, "CLOSED_MS", 0)
    ann, bob = await new_user("Ann"), await new_user("Bob", "guest")
    async with visit(ann) as one:
        await one.hear("presence", online=1, registered=1, guests=0)
        async with visit(bob) as other:
            await one.hear("presence", online=2, guests=1)
            await other.say(type="queue", wishes=[WISH])
            news = await one.hear("presence", queued=1)
            assert news["queues"] == {"claim:2:casual": 1}
        await one.hear("presence", online=1)


async def test_a_second_page_that_closes_takes_nobody_away() -> None:
    ann = await new_user("Ann")
    async with visit(ann) as one:
        await one.hear("hello")
        async with visit(ann) as other:
            await other.hear("hello")
        assert await presence.online([f"u{ann.pk}"], await now_ms())
    later = await now_ms() + presence.CLOSED_MS
    assert not await presence.online([f"u{ann.pk}"], later)


async def test_a_wait_that_is_ended_from_elsewhere_is_told() -> None:
    ann = await new_user("Ann")
    async with visit(ann) as page:
        await page.say(type="queue", wishes=[WISH])
        ticket = (await page.hear("queued"))["ticket"]
        assert await queue.leave(ticket)
        assert (await page.hear("unqueued"))["reason"] == "left"


async def test_text_players_in_a_match_are_online(worker, monkeypatch) -> None:
    monkeypatch.setattr(presence, "CLOSED_MS", 0)
    ann = await new_user("Ann")
    text = text_guest("Telnet")
    async with visit(ann) as page:
        ticket = await queue.join(text, [DUEL], requeue=False)
        await page.say(type="queue", wishes=[WISH])
        await page.hear("matched")
        await queue.wait(ticket.id)
        await presence.gone(text)
        await page.hear("presence", online=2, guests=1, playing=2)


async def test_the_list_of_live_matches(worker) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    async with visit(ann) as one, visit(bob) as other:
        await one.say(type="watch", on=True)
        assert (await one.hear("matches"))["live"] == []
        for page in (one, other):
            await page.say(type="queue", wishes=[WISH])
        match_id = (await one.hear("matched"))["match"]
        (shown,) = (await one.hear("matches"))["live"]
        assert (shown["match"], shown["mode"], shown["spectators"]) == (match_id, "claim", 0)
        assert {p["name"] for p in shown["players"]} == {"Ann", "Bob"}
        await act(match_id, 0, {"type": "surrender"})
        assert (await one.hear("matches"))["live"] == []
        await one.hear("presence", matches=0, playing=0)


async def test_announcements_and_closed_queues_reach_everybody() -> None:
    async with visit(await new_user("Ann")) as page:
        await page.hear("hello")
        await maintenance.announce("Back at noon.")
        assert (await page.hear("announce"))["text"] == "Back at noon."
        await maintenance.close_queues()
        assert (await page.hear("queues"))["open"] is False
        assert (await page.ask("queue", wishes=[WISH]))["code"] == "queues_closed"


async def test_a_program_plays_with_its_token(worker) -> None:
    bot = await new_user("Robby", "bot")
    issue = sync_to_async(tokens.issue)
    token, secret = await issue(bot, "mine", ["play"])
    async with visit(None, secret) as program:
        assert (await program.hear("hello"))["you"]["kind"] == "bot"
        await program.say(type="queue", wishes=[{**WISH, "rated": True}])
        await program.hear("queued")
        await sync_to_async(tokens.revoke)(token)
        await until(lambda: closed(program))
    async with visit(None, secret) as program:
        assert (await program.hear("error"))["code"] == "bad_token"
    _, secret = await issue(bot, "reader", ["read"])
    async with visit(None, secret) as program:
        assert (await program.ask("queue", wishes=[WISH]))["code"] == "read_only_token"
        await program.say(type="watch", on=True)
        await program.hear("matches")


async def test_an_ended_session_closes_the_socket() -> None:
    ann = await new_user("Ann")
    async with visit(ann) as page:
        await page.hear("hello")
        channel = f"{redis_prefix()}access"
        session = page.socket.scope["session"].session_key.encode()
        await redis().publish(channel, b'{"user":%d,"session":"%b"}' % (ann.pk, session))
        await until(lambda: closed(page))


def redis_prefix() -> str:
    from django.conf import settings

    return settings.REDIS_PREFIX


def past(moment: int) -> Callable[[], Awaitable[bool]]:
    """So that who came later also has a later time on the ticket."""

    async def check() -> bool:
        return await now_ms() > moment

    return check


async def closed(page) -> bool:
    return (await page.socket.receive_output()).get("code") == 4003


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (" ", "bad_message"),
        ("[]", "bad_message"),
        ("null", "bad_message"),
        ("{", "bad_message"),
        ("{}", "unknown_type"),
        ('{"type":"fly"}', "unknown_type"),
        ('{"type":7}', "unknown_type"),
        ('{"type":"queue"}', "bad_message"),
        ('{"type":"queue","wishes":[{"mode":"claim","size":"all"}]}', "bad_message"),
        ('{"type":"queue","wishes":[{"mode":"claim","size":0}]}', "bad_size"),
        ('{"type":"queue","wishes":[],"colour":"red"}', "bad_message"),
        ('{"type":"ping","at":"' + "x" * 9000 + '"}', "bad_message"),
        ("[" * 8000, "bad_message"),
    ],
)
async def test_a_message_that_cannot_be_read_gets_a_code(raw: str, code: str) -> None:
    async with visit(await new_user("Ann")) as page:
        await page.socket.send_to(text_data=raw)
        assert (await page.hear("error"))["code"] == code
        await page.say(type="ping", at=7)
        assert (await page.hear("pong"))["at"] == 7


async def test_too_many_messages_close_the_socket(monkeypatch) -> None:
    monkeypatch.setattr(socket, "RATE", 0.001)  # however slow the machine is
    async with visit(await new_user("Ann")) as page:
        for _ in range(40):
            await page.say(type="ping")
        assert (await page.hear("error"))["code"] == "too_fast"


async def test_the_house_is_never_counted_as_online() -> None:
    ann = await new_user("Ann")
    await presence.seen(player_of(ann))
    assert await presence.counts(await now_ms()) == {"registered": 1, "guests": 0, "bots": 0}
    assert await presence.online(["u0", f"u{ann.pk}"], await now_ms()) == {f"u{ann.pk}"}


async def test_a_player_who_is_out_of_a_larger_match_may_queue_again(worker) -> None:
    users = [await new_user(name) for name in ("Ann", "Bob", "Cyd")]
    players = [player_of(user) for user in users]
    tickets = [await queue.join(p, [Wish(mode="claim", size=3)]) for p in players]
    cyd = await queue.wait(tickets[2].id)  # of players who queue together any may sit anywhere
    match_id = cyd.match
    for seat in range(3):
        await act(match_id, seat, {"type": "ready"})
    await act(match_id, cyd.seat, {"type": "surrender"})
    assert await outcomes.outcome_of(match_id) is None
    again = await queue.join(players[2], [DUEL])
    assert again.player.name == "Cyd"
    assert await redis().hget(named("playing"), players[0].identity) == match_id.encode()


async def test_a_player_who_knows_that_the_match_is_over_may_queue_before_it_is_announced(
    worker, monkeypatch
) -> None:
    monkeypatch.setattr(Host, "ended", lambda self, replica: None)
    players = [player_of(await new_user(name)) for name in ("Ann", "Bob")]
    tickets = [await queue.join(p, [DUEL]) for p in players]
    match_id = (await queue.wait(tickets[0].id)).match
    for seat in range(2):
        await act(match_id, seat, {"type": "ready"})
    with pytest.raises(LobbyError, match="already_in_match"):
        await queue.join(players[0], [DUEL])
    await act(match_id, 0, {"type": "surrender"})
    assert await outcomes.outcome_of(match_id) is None
    for player in players:
        assert (await queue.join(player, [DUEL])).player == player


async def test_spectators_are_counted_over_all_processes() -> None:
    here = host()
    await here.opened()
    beats = {"web-1": 2, "web-2": 0, "web-3": 5}
    await redis().hset(live_key("m:{abc}:watchers"), mapping={**beats, "dead": 9})
    here.heartbeat.living = frozenset(beats)
    assert await watch.spectators(["abc", "nobody"]) == {"abc": 7, "nobody": 0}
