"""Rematches through Redis and the runtime: any process, any order, exactly once."""

from __future__ import annotations

import asyncio

import pytest

from games.live.ends import outcome_key
from games.live.host import host
from games.models import Match
from games.redis import redis
from lobby import creation, due, endings, notices, outcomes, playing, presence, queue, rematch, solo
from lobby.errors import LobbyError
from lobby.players import player_of, text_guest
from lobby.store import named, now_ms
from lobby.tickets import Wish
from tests.lobby.flow import DUEL, act, matched, surrender, until
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def finished():
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    await surrender(plan, 1)
    await endings.catch_up()
    return plan


async def test_all_yes_makes_one_new_match(finished) -> None:
    old = finished.match
    both = [rematch.answer(old, seat, True) for seat in (0, 1)]
    # Each says it twice, all at once, as after a reconnect.
    both += [rematch.answer(old, seat, True) for seat in (1, 0)]
    states = await asyncio.gather(*both)
    final = await rematch.get(old)
    assert final.agreed
    assert states[-1].plan.match == final.plan.match
    again = await Match.objects.aget(previous_id=old)
    assert again.pk == final.plan.match
    assert (again.mode, again.source, again.status) == ("claim", "rematch", "live")
    assert await redis().hvals(named("playing")) == [again.pk.encode()] * 2


async def test_the_offer_may_be_answered_before_the_worker_saw_the_end() -> None:
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    with pytest.raises(LobbyError, match="no_rematch"):
        await rematch.answer(plan.match, 0, True)
    await surrender(plan, 1)
    await rematch.answer(plan.match, 0, True)
    offer = await rematch.answer(plan.match, 1, True)
    assert offer.agreed
    await endings.catch_up()
    assert (await rematch.get(plan.match)) == offer
    assert await Match.objects.filter(previous_id=plan.match).acount() == 1


async def test_an_answer_may_come_before_the_end_is_announced() -> None:
    """Whoever plays hears of the end from the log, in whatever process, and may be quick."""
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    await surrender(plan, 1)
    await until(lambda: outcomes.outcome_of(plan.match))
    await redis().delete(outcome_key(plan.match))
    host().replicas.pop(plan.match, None)  # as in a process that does not host it
    assert await outcomes.outcome_of(plan.match) is None
    await rematch.answer(plan.match, 0, True)
    assert (await rematch.answer(plan.match, 1, True)).agreed
    assert await Match.objects.filter(previous_id=plan.match).acount() == 1


async def test_a_stranger_s_answer_makes_nobody_read_a_log(monkeypatch) -> None:
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    read: list[str] = []

    async def counted(match_id: str) -> None:
        read.append(match_id)

    monkeypatch.setattr(outcomes, "outcome_in_log", counted)
    for identity in ("u999", plan.seats[0].identity):
        with pytest.raises(LobbyError, match="no_rematch"):
            await rematch.answer_as(plan.match, identity, True)
    assert read == [plan.match]


async def test_a_process_that_dies_after_the_last_yes_leaves_a_match(finished, monkeypatch) -> None:
    async def dies(plan) -> None:
        raise ConnectionResetError("killed")

    await rematch.answer(finished.match, 0, True)
    with monkeypatch.context() as patch:
        patch.setattr(creation, "create", dies)
        with pytest.raises(ConnectionResetError):
            await rematch.answer(finished.match, 1, True)
    assert not await Match.objects.filter(previous_id=finished.match).aexists()
    await creation.recover(await now_ms() + creation.LEFT_BEHIND_MS)
    again = await Match.objects.aget(previous_id=finished.match)
    assert again.pk == (await rematch.get(finished.match)).plan.match


async def test_joining_a_queue_ends_it_for_all(finished) -> None:
    await rematch.answer(finished.match, 0, True)
    ann = finished.tickets[0].player
    await queue.join(ann, [DUEL])
    offer = await rematch.get(finished.match)
    assert (offer.ended, offer.as_message()["by"]) == ("queued", "Ann")
    assert not (await rematch.answer(finished.match, 1, True)).agreed


async def test_leaving_ends_it(finished) -> None:
    await rematch.withdraw(finished.seats[1].identity, "left")
    offer = await rematch.get(finished.match)
    assert (offer.ended, offer.as_message()["by"]) == ("left", "Bob")


async def test_a_player_who_closes_the_page_and_stays_away_has_left() -> None:
    ann, bob = [player_of(await new_user(name)) for name in ("Ann", "Bob")]
    plan, _ = await matched(ann, bob)
    await surrender(plan, 1)
    await endings.catch_up()
    for player, moment in ((ann, rematch.AWAY_MS), (bob, 0)):
        await presence.gone(player, now=await now_ms() - presence.CLOSED_MS)
        await rematch.away(player.identity)
        await presence.seen(ann)  # on another page
        await due.sweep(await now_ms() + moment)
        assert not (await rematch.get(plan.match)).settled
    await due.sweep(await now_ms() + rematch.AWAY_MS)
    offer = await rematch.get(plan.match)
    assert (offer.ended, offer.as_message()["by"]) == ("left", "Bob")


async def test_sixty_seconds_end_it_and_say_who_was_silent(finished) -> None:
    await rematch.answer(finished.match, 0, True)
    offer = await rematch.get(finished.match)
    assert abs(offer.deadline - await now_ms() - 60_000) < 10_000
    await due.sweep(offer.deadline - 1)
    assert not (await rematch.get(finished.match)).settled
    await redis().set(named(f"again:{finished.match}"), _with_deadline(offer, await now_ms()))
    await due.sweep(offer.deadline)
    ended = await rematch.get(finished.match)
    assert (ended.ended, ended.as_message()["by"]) == ("timeout", "Bob")
    assert await redis().zcard(named("due")) == 0


def _with_deadline(offer, deadline: int) -> bytes:
    import msgspec

    return msgspec.json.encode(msgspec.structs.replace(offer, deadline=deadline))


async def test_text_players_follow_it_to_the_end(finished) -> None:
    async def ann() -> list[str]:
        return [offer.ended async for offer in rematch.follow(finished.match, every=30)]

    task = asyncio.create_task(ann())
    layer_ready = asyncio.create_task(_heard(finished.match))
    await rematch.answer(finished.match, 0, True)
    await layer_ready
    await rematch.answer(finished.match, 1, False)
    async with asyncio.timeout(10):
        assert (await task)[-1] == "declined"


async def _heard(match_id: str) -> None:
    async with notices.listening(notices.again_group(match_id)) as inbox:
        await rematch.answer(match_id, 0, True)
        await inbox.next(0.05)


async def test_a_closed_socket_is_noticed(finished) -> None:
    async with visit(ann := await new_user("Anna")) as page:
        await page.hear("hello")

    async def is_noticed() -> bool:
        return await redis().zscore(named("due"), f"away:u{ann.pk}") is not None

    await until(is_noticed)


async def test_an_aborted_match_has_no_rematch() -> None:
    plan, _ = await matched(text_guest("Ann"), text_guest("Bob"))
    await surrender(plan, 1, ready=False)
    await endings.catch_up()
    with pytest.raises(LobbyError, match="no_rematch"):
        await rematch.answer(plan.match, 0, True)


async def test_a_stranger_has_no_answer(finished) -> None:
    with pytest.raises(LobbyError, match="no_rematch"):
        await rematch.answer_as(finished.match, "u999", True)
    with pytest.raises(LobbyError, match="no_rematch"):
        await rematch.answer(finished.match, 7, True)


async def test_a_player_who_went_on_early_has_answered() -> None:
    people = [text_guest(name) for name in ("Ann", "Bob", "Cyd")]
    plan, _ = await matched(*people, wish=Wish(mode="claim", size=3))
    for seat in range(3):
        await act(plan.match, seat, {"type": "ready"})
    await act(plan.match, 2, {"type": "surrender"})
    other, _ = await matched(people[2], text_guest("Dan"))
    await act(plan.match, 1, {"type": "surrender"})
    await until(lambda: outcomes.outcome_of(plan.match))
    await endings.catch_up()
    offer = await rematch.get(plan.match)
    assert (offer.ended, offer.as_message()["by"]) == ("left", "Cyd")
    assert await playing.match_of(people[2].identity) == other.match


async def test_a_game_for_one_has_no_rematch() -> None:
    ann = text_guest("Ann")
    match_id = await solo.start(ann)
    await act(match_id, 0, {"type": "surrender"})
    await until(lambda: outcomes.outcome_of(match_id))
    with pytest.raises(LobbyError, match="no_rematch"):
        await rematch.answer(match_id, 0, True)
    await endings.catch_up()
    assert await rematch.get(match_id) is None


async def test_a_player_who_left_before_the_end_has_left() -> None:
    ann, bob = [player_of(await new_user(name)) for name in ("Ann", "Bob")]
    plan, _ = await matched(ann, bob)
    await presence.seen(ann)
    await presence.gone(bob, now=await now_ms() - presence.CLOSED_MS)
    await surrender(plan, 1)
    await endings.catch_up()
    await due.sweep(await now_ms())
    offer = await rematch.get(plan.match)
    assert (offer.ended, offer.as_message()["by"]) == ("left", "Bob")
