"""Ratings as the lobby reads them."""

from __future__ import annotations

import asyncio

import pytest
from django.db import DatabaseError

from accounts.models import Rating
from accounts.ratings import strengths_of
from lobby import ratings
from tests.lobby.sockets import new_user

pytestmark = pytest.mark.django_db(transaction=True)


async def test_ratings_of_players_who_queue_at_once_are_read_together(monkeypatch) -> None:
    users = [await new_user(f"rated{n}") for n in range(5)]
    for n, user in enumerate(users):
        await Rating.objects.acreate(user=user, mode="race", mu=20.0 + n, sigma=2.0, shown=1000.0)
    reads = []

    def note(user_ids):
        reads.append(set(user_ids))
        return strengths_of(user_ids)

    monkeypatch.setattr(ratings, "strengths_of", note)
    found = await asyncio.gather(*(ratings.of_user(user.pk) for user in users), ratings.of_user(0))
    strengths = [one["race"] for one in found[:-1]]
    assert strengths == sorted(set(strengths))
    assert found[-1] == {}
    assert reads == [{0, *(user.pk for user in users)}]


async def test_a_failed_read_of_ratings_fails_for_those_who_asked_and_no_others(
    monkeypatch,
) -> None:
    def fail(user_ids):
        raise DatabaseError

    with monkeypatch.context() as broken:
        broken.setattr(ratings, "strengths_of", fail)
        for answer in await asyncio.gather(
            ratings.of_user(1), ratings.of_user(2), return_exceptions=True
        ):
            assert isinstance(answer, DatabaseError)
    assert await ratings.of_user(1) == {}
