"""Puzzles of finished matches, made by the worker in a process that computes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.compute import ComputeProcess
from games.models import Match
from games.puzzles import worker
from games.puzzles.checking import is_right
from games.puzzles.minting import MOST, mint
from games.puzzles.models import MintedMatch, Puzzle
from tests.analysing.conftest import archived
from tests.puzzles.matches import careless_match


def just_ended(kind: str = "guest") -> str:
    match_id = archived(careless_match(kind).entries)
    Match.objects.filter(pk=match_id).update(ended_at=timezone.now())
    return match_id


def test_mistakes_of_people_become_puzzles():
    log = careless_match("guest")
    made = mint(log.packed)
    assert 0 < len(made) <= MOST
    assert all(is_right(one) for one in made)


def test_mistakes_of_bots_do_not():
    assert mint(careless_match("house").packed) == []


@pytest.mark.django_db(transaction=True)
async def test_the_worker_looks_through_a_match_once():
    match_id = await sync_to_async(just_ended)()
    assert await sync_to_async(worker.waiting)() == [match_id]
    process = ComputeProcess()
    try:
        added = await worker.mint(match_id, process)
        again = await worker.mint(match_id, process)  # another worker has it
    finally:
        await process.close()
    assert added > 0
    assert again == 0
    assert await Puzzle.objects.filter(source="match").acount() == added
    assert (await MintedMatch.objects.aget()).made == added
    assert await sync_to_async(worker.waiting)() == []


@pytest.mark.django_db(transaction=True)
async def test_a_match_that_cannot_be_computed_is_not_tried_again():
    match_id = await sync_to_async(just_ended)()
    await Match.objects.filter(pk=match_id).aupdate(log=b"nonsense")
    process = ComputeProcess()
    try:
        assert await worker.mint(match_id, process) == 0
    finally:
        await process.close()
    assert await sync_to_async(worker.waiting)() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("source", ["daily", "sealed"])
def test_a_board_that_others_may_still_play_waits(source):
    match_id = just_ended()
    Match.objects.filter(pk=match_id).update(source=source, created_at=timezone.now())
    assert worker.waiting() == []
    Match.objects.filter(pk=match_id).update(created_at=timezone.now() - timedelta(days=1))
    assert worker.waiting() == [match_id]
