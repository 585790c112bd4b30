"""Tickets in Redis: joining, changing, leaving, expiring."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline

from games.engine import registry
from games.redis import redis
from lobby import maintenance, presence, queue
from lobby.errors import LobbyError
from lobby.players import text_guest
from lobby.queue import TicketGone
from lobby.store import named, now_ms
from lobby.tickets import MAX_WISHES, Wish
from tests.lobby.making import player

TWO = Wish(mode="claim", size=2)
ANY = Wish(mode="claim")
RATED = Wish(mode="claim", size=2, rated=True)


async def in_queues() -> dict[str, int]:
    queues = queue.summary(await queue.waiting(), await now_ms())
    return {name: entry["waiting"] for name, entry in queues.items()}


async def keys_left() -> set[str]:
    """The keys of the lobby, apart from who was online."""
    prefix = named("")
    found = {raw.decode()[len(prefix) :] async for raw in redis().scan_iter(f"{prefix}*")}
    return {name for name in found if not name.startswith("online:")}


async def refusal(awaitable) -> LobbyError:
    with pytest.raises(LobbyError) as caught:
        await awaitable
    return caught.value


async def test_one_waits_in_several_queues_with_one_ticket() -> None:
    ticket = await queue.join(player(1), [TWO, ANY, RATED, TWO])
    assert await in_queues() == {"claim:2:casual": 1, "claim:any:casual": 1, "claim:2:rated": 1}
    assert await queue.ticket_of("u1") == ticket
    members = await redis().zrange(named("queue:claim:any:casual"), 0, -1)
    assert members == [ticket.id.encode()]


async def test_joining_again_changes_the_wishes_and_keeps_the_place() -> None:
    first = await queue.join(player(1), [TWO, ANY])
    second = await queue.join(player(1), [RATED], now=await now_ms() + 9_000)
    assert (second.id, second.queued_at) == (first.id, first.queued_at)
    assert await in_queues() == {"claim:2:rated": 1}
    assert await redis().zcard(named("queue:claim:any:casual")) == 0


async def test_leaving_leaves_nothing_behind() -> None:
    ticket = await queue.join(player(1), [TWO, ANY])
    assert await queue.leave(ticket.id)
    assert not await queue.leave(ticket.id)
    assert await keys_left() == set()


async def test_a_ticket_without_a_holder_expires() -> None:
    ticket = await queue.join(player(1), [TWO], ttl_ms=5_000)
    now = await now_ms()
    assert await queue.drop_expired(now + 4_000) == []
    await queue.refresh(ticket.id, now=now + 4_000)
    assert await queue.drop_expired(now + 8_000) == []
    assert await queue.drop_expired(now + 9_001) == [ticket.id]
    assert await keys_left() == set()
    assert not await queue.refresh(ticket.id)


async def test_a_client_that_waits_for_an_expired_ticket_is_told() -> None:
    ticket = await queue.join(player(1), [TWO])
    await queue.leave(ticket.id)
    with pytest.raises(TicketGone):
        await queue.wait(ticket.id)


async def test_a_closed_page_ends_the_wait_and_a_new_one_goes_on_with_it() -> None:
    ticket = await queue.join(player(1), [TWO])
    await queue.fade(ticket.player.identity)
    now = await now_ms()
    assert await queue.waiting() == []
    assert await queue.drop_expired(now + 4_000) == []
    await queue.refresh(ticket.id)
    assert await queue.waiting() == [ticket]
    assert await queue.drop_expired(now + 6_000) == []


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ([], "bad_message"),
        ([Wish(mode="chess")], "no_such_mode"),
        ([Wish(mode="classic")], "solo_only"),
        ([Wish(mode="claim", size=5)], "bad_size"),
        ([Wish(mode="claim", size=1)], "bad_size"),
        ([Wish(mode="claim", size=-1)], "bad_size"),
        ([Wish(mode="claim", preset="huge")], "bad_options"),
        ([Wish(mode="claim", preset=f"{n}") for n in range(MAX_WISHES + 1)], "too_many_wishes"),
    ],
)
async def test_bad_wishes_are_refused(wishes: list[Wish], code: str) -> None:
    assert (await refusal(queue.join(player(1), wishes))).code == code
    assert await keys_left() == set()


async def test_a_preset_says_how_many_play_it() -> None:
    wishes = [Wish(mode="minewars", preset="duos"), Wish(mode="minewars", preset="duos", size=4)]
    ticket = await queue.join(player(1), wishes)
    assert [wish.size for wish in ticket.wishes] == [6, 4]


async def test_a_test_mode_is_no_mode_to_queue_for(monkeypatch) -> None:
    monkeypatch.delitem(registry.REGISTRY.loaded, "claim")
    assert (await refusal(queue.join(player(1), [TWO]))).code == "no_such_mode"


async def test_a_mode_that_is_never_rated_has_no_rated_queue(monkeypatch) -> None:
    casual = replace(registry.mode("claim"), rated=False)
    monkeypatch.setitem(registry.REGISTRY.loaded, "claim", casual)
    assert (await refusal(queue.join(player(1), [RATED]))).code == "never_rated"
    await queue.join(player(1), [TWO])


async def test_guests_play_unrated() -> None:
    guest = player(1, kind="guest")
    assert (await refusal(queue.join(guest, [RATED]))).code == "rated_needs_account"
    assert (await refusal(queue.join(text_guest("Ann"), [RATED]))).code == "rated_needs_account"
    await queue.join(guest, [TWO])


async def test_two_text_guests_of_one_name_are_two_players() -> None:
    await queue.join(text_guest("Ann"), [TWO])
    await queue.join(text_guest("Ann"), [TWO])
    assert await in_queues() == {"claim:2:casual": 2}


async def test_one_account_does_not_wait_over_two_protocols() -> None:
    from msgspec.structs import replace

    await queue.join(player(1), [TWO])
    error = await refusal(queue.join(replace(player(1), text=True), [TWO]))
    assert error.code == "queued_elsewhere"


async def test_one_account_does_not_wait_over_two_text_connections() -> None:
    from msgspec.structs import replace

    first = await queue.join(replace(player(1), text=True), [TWO])
    error = await refusal(queue.join(replace(player(1), text=True), [TWO]))
    assert error.code == "queued_elsewhere"
    await queue.leave(first.id)
    await queue.join(replace(player(1), text=True), [TWO])


async def test_closed_queues_take_nobody() -> None:
    waiting = await queue.join(player(1), [TWO])
    await maintenance.close_queues("upgrade")
    assert (await refusal(queue.join(player(2), [TWO]))).code == "queues_closed"
    assert await queue.get(waiting.id) == waiting
    await maintenance.open_queues()
    await queue.join(player(2), [TWO])


async def test_a_player_who_missed_matches_waits() -> None:
    await redis().set(named("barred:u1"), "1", px=29_500)
    error = await refusal(queue.join(player(1), [TWO]))
    assert error.as_json()["code"] == "wait_before_queueing"
    assert 20 < error.extra["seconds"] <= 30


async def test_joining_takes_two_round_trips_and_shows_presence(monkeypatch) -> None:
    await queue.join(player(2), [TWO])  # the script is loaded
    trips: list[str] = []
    send, execute = Redis.execute_command, Pipeline.execute

    async def note_command(self, *args, **options):
        trips.append(args[0])
        return await send(self, *args, **options)

    async def note_pipeline(self, *args, **options):
        trips.append("pipeline")
        return await execute(self, *args, **options)

    monkeypatch.setattr(Redis, "execute_command", note_command)
    monkeypatch.setattr(Pipeline, "execute", note_pipeline)
    await queue.join(player(1), [TWO])
    assert trips == ["pipeline", "EVALSHA"]
    assert await presence.online([player(1).identity], await now_ms()) == {player(1).identity}
