"""Storms: the server's time decides, and nothing counts twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.utils import timezone

from accounts.models import User
from games.puzzles import storm
from games.puzzles.answers import Refused, solution
from games.puzzles.models import Puzzle, Storm

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def begun(user: User | None = None) -> Storm:
    return storm.start(user, NOW, Random(1))


def play(one: Storm, correct: bool, after: float) -> dict:
    one.refresh_from_db()
    current = one.current
    assert current is not None
    right = solution(current)
    hidden = [c for c, shown in enumerate(current.cells) if shown == "."]
    cell = right[0] if correct else next(c for c in hidden if c not in right)
    return storm.submit(one.pk, current.pk, cell, NOW + timedelta(seconds=after), Random(2))


def test_answers_count_until_the_time_is_up(few, ada):
    one = begun(ada)
    told = play(one, True, 10)
    assert (told["score"], told["ms_left"], told["correct"]) == (1, 170_000, True)
    told = play(one, False, 20)
    assert (told["score"], told["wrong"], told["ms_left"]) == (1, 1, 150_000)
    with pytest.raises(Refused, match="storm_over"):
        play(one, True, 170)


def test_an_answer_that_comes_twice_counts_once(few):
    one = begun()
    current = one.current
    assert current is not None
    cell = solution(current)[0]
    first = storm.submit(one.pk, current.pk, cell, NOW, Random(2))
    again = storm.submit(one.pk, current.pk, cell, NOW, Random(2))
    assert first["score"] == again["score"] == 1
    assert first["puzzle"] == again["puzzle"]
    assert "solution" not in again


def test_no_puzzle_is_asked_twice_and_the_last_one_ends_it(few):
    one = begun()
    for number in range(len(few)):
        told = play(one, True, 1 + number)
    one.refresh_from_db()
    assert sorted(one.asked) == [puzzle.pk for puzzle in few]
    assert told["puzzle"] is None
    assert told["ms_left"] == 0


def test_the_table_has_each_players_best(few, ada):
    bob = User.objects.create_user("Bob", password="x")
    ended = timezone.now() - timedelta(minutes=1)
    for number, (user, score) in enumerate([(ada, 3), (ada, 9), (bob, 5), (None, 99), (bob, 0)]):
        Storm.objects.create(
            id=str(number), user=user, score=score, started_at=ended, ends_at=ended
        )
    assert storm.table() == [{"name": "Ada", "score": 9}, {"name": "Bob", "score": 5}]
    assert storm.best_of(ada) == 9
    assert storm.table(timezone.now()) == []
    Storm.objects.update(started_at=ended - timedelta(days=2))
    storm.tidy()
    assert set(Storm.objects.values_list("score", flat=True)) == {9, 5}


def test_over_http_a_storm_belongs_to_who_began_it(few, client, ada):
    told = client.post("/puzzles/storm/start/").json()
    assert set(told["puzzle"]) >= {"id", "cells"}
    address = f"/puzzles/storm/{told['id']}/"
    puzzle = Puzzle.objects.get(pk=told["puzzle"]["id"])
    fields = {"puzzle": puzzle.pk, "cell": solution(puzzle)[0]}
    assert client.post(address, fields).json()["score"] == 1
    client.force_login(ada)
    client.session.flush()
    assert client.post(address, fields).json()["code"] == "no_storm"
    assert client.post("/puzzles/storm/nosuch/", fields).json()["code"] == "no_storm"


def test_few_storms_begin_in_a_minute(few, client):
    codes = [client.post("/puzzles/storm/start/").status_code for _ in range(14)]
    assert codes[0] == 200
    assert codes[-1] == 429
