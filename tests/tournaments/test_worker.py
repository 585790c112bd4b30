"""Arenas and Swiss tournaments through the worker's steps, with the real runtime and Redis."""

from __future__ import annotations

import asyncio
import os
import random
from datetime import timedelta

import pytest
from channels.db import database_sync_to_async
from django.utils import timezone

from accounts import leaving
from accounts.models import User
from games.models import Match, Seat
from games.redis import redis
from lobby import creation, notices, rematch
from lobby.store import named
from lobby.tournaments import clock, entry, feed, results, waves, worker
from lobby.tournaments.models import Entrant, Pairing, Tournament
from tests.lobby.flow import until
from tests.tournaments.making import (
    all_here,
    entered,
    entrants,
    fresh,
    pairings,
    play,
    scores,
    settled,
    step,
)

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = int(os.environ.get("ARENA_PLAYERS", "10"))
"""ARENA_PLAYERS=200 is the long form."""


@pytest.fixture(autouse=True)
def _no_breather(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waves, "BREATHER", timedelta(seconds=-5))
    monkeypatch.setattr(clock, "BREAK", timedelta(seconds=-5))


async def started(count: int, kind: str = "arena", **more) -> tuple[Tournament, list]:
    tournament, users = await entered(count, kind, **more)
    await all_here(users)
    await step()
    return await fresh(tournament), users


async def test_an_arena_pairs_those_who_are_here_and_counts_their_points() -> None:
    tournament, _users = await started(4)
    assert tournament.status == "running"
    await step()
    first = await pairings(tournament)
    assert [one.state for one in first] == ["open", "open"]
    assert await Match.objects.filter(source="tournament", status="live").acount() == 2
    for one in first:
        await play(one.match, loser=1)
    assert sorted((await scores(tournament)).values()) == [0, 0, 2, 2]
    await step()
    second = await pairings(tournament, "open")
    met = {frozenset((one.one_id, one.two_id)) for one in first}
    assert len(second) == 2
    assert not met & {frozenset((one.one_id, one.two_id)) for one in second}
    for one in second:
        await play(one.match, loser=0)


async def test_a_tournament_match_has_no_rematch() -> None:
    tournament, _users = await started(2)
    await step()
    (one,) = await pairings(tournament)
    await play(one.match, loser=1)
    assert await rematch.get(one.match) is None
    assert await redis().hlen(named("playing")) == 0


async def test_players_who_are_away_paused_or_busy_are_not_paired() -> None:
    tournament, users = await entered(5)
    await all_here(users[:4])
    await database_sync_to_async(entry.pause)(tournament.pk, users[0])
    await redis().hset(named("playing"), f"u{users[1].pk}", "elsewhere0001")
    await step()
    await step()
    (one,) = await pairings(tournament)
    assert {one.one.name, one.two.name} == {"Player2", "Player3"}


async def test_a_player_who_misses_two_matches_in_a_row_is_paused() -> None:
    tournament, users = await started(3)
    # The others wait for each other, so that the absent player is paired each time.
    for number in (1, 2):
        await step()
        there = await pairings(tournament, "open")
        for one in there:
            names = [one.one.name, one.two.name]
            if "Player0" in names:
                await play(one.match, None, absent=names.index("Player0"))
            else:
                await play(one.match, loser=1)
        mine = (await entrants(tournament))["Player0"]
        if mine.absences < number:
            await database_sync_to_async(Entrant.objects.filter(pk=mine.pk).update)(absences=number)
            await database_sync_to_async(results.release)(mine, "", number == 2, timezone.now())
    mine = (await entrants(tournament))["Player0"]
    assert (mine.state, mine.match) == ("paused", "")
    again = await database_sync_to_async(entry.join)(tournament.pk, users[0])
    assert (again.state, again.absences) == ("active", 0)


async def test_a_match_that_ends_after_the_window_does_not_count() -> None:
    tournament, _users = await started(2)
    await step()
    (one,) = await pairings(tournament)
    over = timezone.now() - timedelta(hours=2)
    await database_sync_to_async(Tournament.objects.filter(pk=tournament.pk).update)(
        started_at=over
    )
    await step()
    assert (await fresh(tournament)).status == "over"
    await play(one.match, loser=1)
    (one,) = await pairings(tournament)
    assert one.state == "void"
    assert set((await scores(tournament)).values()) == {0}


async def test_a_swiss_tournament_from_start_to_end() -> None:
    tournament, _users = await entered(5, "swiss", rounds=3)
    await step()  # it starts
    for number in (1, 2, 3):
        await step()
        now = [one for one in await pairings(tournament) if one.number == number]
        assert len(now) == 3
        assert sum(one.two_id is None for one in now) == 1
        for one in now:
            if one.match:
                await play(one.match, loser=1)
    await step()
    tournament = await fresh(tournament)
    assert (tournament.status, tournament.number) == ("over", 3)
    assert sum((await scores(tournament)).values()) == 3 * 3 * 2
    games = await pairings(tournament)
    pairs = [frozenset((one.one_id, one.two_id)) for one in games]
    assert len(set(pairs)) == len(pairs)
    assert await database_sync_to_async(results.recount)(tournament) == {}


async def test_a_swiss_no_show_loses_and_an_aborted_match_is_played_again() -> None:
    tournament, _users = await started(2, "swiss")
    await step()
    (one,) = await pairings(tournament)
    replica_match = one.match
    from games.live.host import host

    replica = await host().join(replica_match)
    await replica.abort("!test", b'{"reason":"staff"}')
    host().leave(replica)

    async def redone() -> bool:
        from games.live.archive import archive

        await archive(replica_match)
        (row,) = await pairings(tournament)
        return row.match != replica_match

    await until(redone)
    from lobby import endings

    await endings.catch_up()
    await step()
    (one,) = await pairings(tournament)
    assert (one.state, one.tries) == ("open", 1)
    await play(one.match, None, absent=0)
    (one,) = await pairings(tournament)
    assert one.result == "forfeit_two"


async def test_a_round_that_lasts_too_long_ends_in_draws() -> None:
    tournament, _users = await started(2, "swiss")
    await step()
    (one,) = await pairings(tournament)
    await step(later=timedelta(minutes=21))
    await settled(one.match)
    (one,) = await pairings(tournament)
    assert (one.state, one.result) == ("over", "draw")


async def test_too_few_players_or_a_start_missed_by_hours_call_it_off() -> None:
    lonely, _ = await entered(1, "swiss")
    late = await database_sync_to_async(Tournament.objects.create)(
        name="Late cup", kind="arena", mode="claim", minutes=30,
        starts_at=timezone.now() - timedelta(hours=3),
    )  # fmt: skip
    a_little = await database_sync_to_async(Tournament.objects.create)(
        name="A little late", kind="arena", mode="claim", minutes=30,
        starts_at=timezone.now() - timedelta(minutes=20),
    )  # fmt: skip
    await step()
    assert ((await fresh(lonely)).status, (await fresh(lonely)).reason) == ("cancelled", "too_few")
    assert ((await fresh(late)).status, (await fresh(late)).reason) == ("cancelled", "missed")
    begun = await fresh(a_little)
    assert begun.status == "running"
    assert begun.ends_at - timezone.now() > timedelta(minutes=29), "its window is whole"


async def test_two_workers_at_once_make_each_pairing_once() -> None:
    tournament, _users = await started(8)
    await asyncio.gather(*(step() for _ in range(4)))
    await step()
    rows = await pairings(tournament)
    assert len(rows) == 4
    seats = [one for row in rows for one in (row.one_id, row.two_id)]
    assert len(set(seats)) == 8
    assert await Match.objects.acount() == 4
    assert await redis().hlen(named("playing")) == 8


async def test_a_busy_player_makes_an_arena_pairing_void_and_loses_a_swiss_one() -> None:
    for kind, expected in (("arena", ("void", "")), ("swiss", ("over", "forfeit_two"))):
        tournament, users = await entered(2, kind)
        await all_here(users)
        await step()
        now = await fresh(tournament)
        mine = sorted((await entrants(tournament)).values(), key=lambda one: one.pk)
        (row,) = await database_sync_to_async(waves.store)(now, [(mine[0].pk, mine[1].pk)])
        # The first player sits in a match that goes on.
        busy = f"u{users[0].pk}"
        await redis().hset(named("playing"), busy, "otherplay001")
        await redis().zadd(named("pending"), {"otherplay001": 1})
        long_ago = timezone.now() - timedelta(minutes=2)
        await database_sync_to_async(Pairing.objects.filter(pk=row.pk).update)(created_at=long_ago)
        await waves.begin(now)
        await waves.begin(now)
        (row,) = await pairings(tournament)
        assert (row.state, row.result) == expected
        assert {one.match for one in (await entrants(tournament)).values()} == {""}
        await User.objects.all().adelete()
        await redis().delete(named("playing"), named("pending"))


async def test_an_organiser_and_a_player_may_delete_their_accounts() -> None:
    tournament, users = await started(4)
    await database_sync_to_async(Tournament.objects.filter(pk=tournament.pk).update)(
        organiser=users[0]
    )
    await database_sync_to_async(leaving.delete)(users[0])
    await step()
    (one,) = await pairings(tournament)
    assert "deleted" in await entrants(tournament)
    assert (await fresh(tournament)).organiser_id is None
    assert one.state == "open"


async def test_pages_hear_the_lines_that_change_and_end_with_the_same_picture() -> None:
    tournament, users = await entered(4)
    await all_here(users)
    await worker.publish(timezone.now())
    picture = await feed.last(tournament.pk)
    assert [row["name"] for row in picture["rows"]] == [user.username for user in users]
    heard = []
    async with notices.listening(feed.address_of(tournament.pk)) as inbox:
        await step()
        await step()
        for one in await pairings(tournament):
            await play(one.match, loser=1)
        await worker.publish(timezone.now())
        while message := await inbox.next(0.5):
            heard.append(message)
    assert heard
    assert all("changed" in message for message in heard), "only differences"
    for message in heard:
        assert message["from"] == picture["version"]
        picture = feed.applied(picture, message)
    assert picture == await feed.last(tournament.pk)
    assert picture == await database_sync_to_async(feed.picture_of)(tournament.pk)
    assert [row["score"] for row in picture["rows"]] == [2, 2, 0, 0]


async def test_an_arena_whose_worker_dies_again_and_again_loses_nothing(monkeypatch) -> None:
    """Scripted players; the worker is cut off at random places. In the end the standings are those
    that a recount of the stored matches gives, nobody was paired twice at once, and every match
    belongs to one pairing."""
    draw = random.Random(7)
    tournament, users = await entered(PLAYERS)
    await all_here(users)
    await step()

    async def interrupted() -> None:
        """A worker that dies after some switches of the event loop."""
        task = asyncio.create_task(worker.step(timezone.now()))
        for _ in range(draw.randrange(1, 60)):
            await asyncio.sleep(0)
            await asyncio.sleep(0.001)
            if task.done():
                break
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    played: set[str] = set()
    for _ in range(6):
        for _ in range(3):
            await interrupted()
        await step()
        await creation.recover(10**15)
        await step()
        rows = await pairings(tournament, "open")
        assert len({one.match for one in rows}) == len(rows)
        for one in rows:
            await play(one.match, loser=draw.randrange(2))
            played.add(one.match)
    assert len(played) >= PLAYERS // 2 * 4
    assert await database_sync_to_async(results.recount)(await fresh(tournament)) == {}
    # Recomputed from the archive alone: its matches in the order of their ends.
    expected: dict[str, list[bool]] = {}
    matches = Match.objects.filter(source="tournament", status="over").order_by("ended_at")
    async for match in matches:
        assert match.pk in played, "no match without a pairing"
        async for seat in match.seats.all():
            expected.setdefault(seat.name, []).append(seat.result == Seat.Result.WIN)
    assert await scores(tournament) == {
        user.username: arena_points(expected.get(user.username, [])) for user in users
    }
    assert not [one for one in await pairings(tournament) if one.state == "planned"]
    assert {one.match for one in (await entrants(tournament)).values()} == {""}


def arena_points(wins: list[bool]) -> int:
    """The points of a row of wins and losses, counted in another way than the site does."""
    total, row = 0, 0
    for won in wins:
        total += (4 if row >= 2 else 2) if won else 0
        row = row + 1 if won else 0
    return total


async def test_a_picture_that_was_kept_and_not_told_is_told_whole(monkeypatch):
    tournament, (user,) = await entered(1)
    told = []

    async def tell(_address, message):
        told.append(message)

    monkeypatch.setattr(feed.notices, "tell", tell)
    await feed.publish(tournament.pk)
    await feed.publish(tournament.pk)
    assert [message["version"] for message in told] == [1, 1]
    assert "rows" in told[1]
    await database_sync_to_async(leaving.delete)(user)
    assert (await feed.last(tournament.pk))["rows"] == []


async def test_pages_share_a_picture_for_a_moment(monkeypatch):
    tournament, _users = await entered(2)
    shown = database_sync_to_async(feed.shown)
    first = await shown(tournament.pk)

    def again(_tournament_id):
        raise AssertionError("it is kept")

    with monkeypatch.context() as patched:
        patched.setattr(feed, "picture_of", again)
        assert await shown(tournament.pk) == first == await feed.last(tournament.pk)
    assert 0 < await redis().ttl(named(f"shown:{tournament.pk}")) <= feed.COMPUTED_SECONDS
    await worker.publish(timezone.now())
    assert await redis().ttl(named(f"shown:{tournament.pk}")) > feed.COMPUTED_SECONDS


async def test_an_arena_without_free_players_reads_no_rows(monkeypatch):
    tournament, _users = await entered(1)

    async def read(_tournament):
        raise AssertionError("nobody to pair")

    monkeypatch.setattr(waves, "arena_rows", read)
    assert await waves.pair_arena(tournament, timezone.now()) == 0
