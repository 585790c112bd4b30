"""Every finished match is analysed once, a few at a time, whatever dies in between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.models import User
from games.analysing.parts import ANALYSIS, LANES
from games.analysing.queue import Queue
from games.analysing.worker import carry_out
from games.compute import ComputeProcess
from games.statistics import worker
from games.statistics.models import Awaiting, ModeAccuracy, SeatAccuracy

from .games import lost, won

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@sync_to_async
def games(number: int) -> list[str]:
    user = User.objects.create_user("anna", password="x")
    return [won(user).match_id for _ in range(number)]


async def test_matches_go_onto_the_queue_up_to_its_bound_and_not_twice():
    await games(worker.ROOM + 3)
    queue, now = Queue(ANALYSIS), timezone.now()
    assert await worker.offer(now) == worker.ROOM
    assert await queue.length() == worker.ROOM
    assert await worker.offer(now) == 0
    job = await queue.take()
    await queue.done(job)
    assert await worker.offer(now) == 1
    assert await queue.length() == worker.ROOM


async def test_an_offered_match_is_analysed_and_taken_over():
    (match,) = await games(1)
    await worker.offer(timezone.now())
    queue, process = Queue(ANALYSIS), ComputeProcess()
    try:
        await carry_out(LANES[ANALYSIS], queue, process, f"{match}:{ANALYSIS}")
    finally:
        await process.close()
    assert await queue.length() == 0
    seat = await SeatAccuracy.objects.aget()
    assert (seat.match_id, seat.number, seat.analysed) == (match, 0, 4)
    assert (await ModeAccuracy.objects.aget()).matches == 1
    assert not await Awaiting.objects.aexists()


async def test_a_match_whose_analysis_is_there_already_is_taken_over():
    (match,) = await games(1)
    process = ComputeProcess()
    try:
        await carry_out(LANES[ANALYSIS], Queue(ANALYSIS), process, f"{match}:{ANALYSIS}")
    finally:
        await process.close()
    await ModeAccuracy.objects.all().adelete()
    await SeatAccuracy.objects.all().adelete()
    await Awaiting.objects.acreate(match_id=match)
    assert await worker.offer(timezone.now()) == 0
    assert (await ModeAccuracy.objects.aget()).matches == 1


async def test_a_match_that_never_succeeds_is_given_up():
    (match,) = await games(1)
    queue, now = Queue(ANALYSIS), timezone.now()
    for _ in range(worker.MOST_TRIES):
        assert await worker.offer(now) == 1
        await queue.fail(f"{match}:{ANALYSIS}", "died")
        now += worker.RETRY + timedelta(seconds=1)
    assert await worker.offer(now) == 0
    assert not await Awaiting.objects.aexists()


async def test_a_lost_game_gives_up_what_its_last_move_did():
    user = await sync_to_async(User.objects.create_user)("anna", password="x")
    game = await sync_to_async(lost)(user)
    process = ComputeProcess()
    try:
        await carry_out(LANES[ANALYSIS], Queue(ANALYSIS), process, f"{game.match_id}:{ANALYSIS}")
    finally:
        await process.close()
    seat = await SeatAccuracy.objects.aget()
    assert seat.analysed == 2
    assert seat.given_up > 0
