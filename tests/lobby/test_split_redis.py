"""Match logs on a Redis of their own (LIVE_REDIS_URL): the lobby asks each for what it has."""

from __future__ import annotations

import pytest
from redis import Redis

from games.live.archive import archive
from games.live.stored_log import match_key
from games.models import Match
from games.redis import redis, sync_redis
from lobby import endings, outcomes, playing, queue, rematch, watch
from lobby.errors import LobbyError
from lobby.players import text_guest
from lobby.store import named, now_ms
from tests.chaos.replicated import Server
from tests.lobby.flow import DUEL, act, matched, surrender
from tests.running_site import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def logs(tmp_path, settings):
    """The server that has the logs."""
    server = Server(tmp_path)
    try:
        wait_for(lambda: server.ask("PING"), 20, "the server")
        settings.LIVE_REDIS_URL = f"redis://127.0.0.1:{server.port}"
        with Redis(port=server.port) as client:
            yield client
    finally:
        server.stop()


async def look_for_lost_matches() -> None:
    await redis().delete(named("looked"))
    await endings.settle_lost(await now_ms())


async def test_the_lobby_keeps_running_matches_and_their_players_busy(logs) -> None:
    ann, bob = text_guest("Ann"), text_guest("Bob")
    plan, _ = await matched(ann, bob)
    assert logs.exists(match_key(plan.match, "log"))
    assert not sync_redis().exists(match_key(plan.match, "log"))
    await look_for_lost_matches()
    assert await watch.created() == [plan.match]
    assert await watch.spectators([plan.match]) == {plan.match: 0}
    assert await outcomes.outcome_of(plan.match) is None
    assert [await playing.match_of(p.identity) for p in (ann, bob)] == [plan.match] * 2
    with pytest.raises(LobbyError, match="already_in_match"):
        await queue.join(ann, [DUEL])


async def test_a_match_ends_is_stored_and_played_again(logs) -> None:
    ann, bob = text_guest("Ann"), text_guest("Bob")
    plan, _ = await matched(ann, bob)
    assert (await surrender(plan, 1)).ranks
    await endings.catch_up()
    assert await archive(plan.match)
    assert logs.ttl(match_key(plan.match, "log")) > 0
    for seat in (0, 1):
        await rematch.answer(plan.match, seat, True)
    again = await Match.objects.aget(previous_id=plan.match)
    await act(again.pk, 0, {"type": "ready"})
    await look_for_lost_matches()
    assert await watch.created() == [again.pk]
    assert await playing.match_of(ann.identity) == again.pk


async def test_a_match_without_a_log_is_settled(logs) -> None:
    """Redis lost it: its players are free."""
    ann, bob = text_guest("Ann"), text_guest("Bob")
    plan, _ = await matched(ann, bob)
    logs.delete(match_key(plan.match, "log"))
    await look_for_lost_matches()
    assert await watch.created() == []
    assert await playing.match_of(ann.identity) is None
