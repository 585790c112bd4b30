"""Solving puzzles on the pages: nothing is told before the answer, the first answer counts."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from accounts.models import User
from games.puzzles import choosing, requests, solving, stock
from games.puzzles.answers import solution
from games.puzzles.models import Attempt, Puzzle, PuzzleRating

pytestmark = pytest.mark.django_db

QUESTION = {"id", "question", "width", "height", "cells", "mines", "rating"}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def next_of(client: Client, theme: str = "") -> dict:
    answer = client.post("/puzzles/next/", {"theme": theme})
    assert answer.status_code == 200, answer.content
    return answer.json()


def attempt(client: Client, puzzle: int, cell: int):
    return client.post(f"/puzzles/{puzzle}/attempt/", {"cell": cell})


def right(puzzle: int) -> int:
    return solution(Puzzle.objects.get(pk=puzzle))[0]


def wrong(puzzle: int) -> int:
    row = Puzzle.objects.get(pk=puzzle)
    return next(c for c, shown in enumerate(row.cells) if shown == "." and c not in solution(row))


def test_a_fresh_site_loads_its_stock_when_first_asked(client):
    assert set(next_of(client)) == QUESTION
    assert Puzzle.objects.count() == 2000
    stock.ensure()
    assert Puzzle.objects.count() == 2000


def test_storing_twice_adds_nothing(few):
    assert stock.store(list(stock.read())[:12], "stock") == 0


def test_the_question_tells_nothing_and_the_answer_everything(few, ada):
    client = signed_in(ada)
    asked = next_of(client)
    assert set(asked) == QUESTION
    told = attempt(client, asked["id"], right(asked["id"])).json()
    assert told["correct"]
    assert told["rated"]
    assert told["solution"] == solution(Puzzle.objects.get(pk=asked["id"]))
    assert ("proof" in told) != ("chances" in told)


def test_a_rated_answer_changes_player_and_puzzle(few, ada):
    client = signed_in(ada)
    asked = next_of(client)
    before = Puzzle.objects.get(pk=asked["id"]).mu
    told = attempt(client, asked["id"], wrong(asked["id"])).json()
    assert not told["correct"]
    assert told["you"]["after"] < told["you"]["before"]
    after = Puzzle.objects.get(pk=asked["id"])
    assert after.mu > before
    assert (after.attempts_rated, after.solved_rated) == (1, 0)
    row = PuzzleRating.objects.get(user=ada)
    assert (row.attempts, row.solved, row.streak) == (1, 0, 0)


def test_the_first_answer_counts(few, ada):
    client = signed_in(ada)
    asked = next_of(client)["id"]
    attempt(client, asked, wrong(asked))
    rating = PuzzleRating.objects.get(user=ada).mu
    told = attempt(client, asked, right(asked)).json()
    assert told["again"]
    assert PuzzleRating.objects.get(user=ada).mu == rating
    assert Attempt.objects.filter(correct=True).count() == 0


def test_the_puzzle_stays_until_it_is_answered(few, ada):
    client = signed_in(ada)
    asked = next_of(client)
    assert next_of(client) == asked
    attempt(client, asked["id"], wrong(asked["id"]))
    assert next_of(client)["id"] != asked["id"]


def test_a_puzzle_that_one_was_not_given_is_casual(few, ada):
    client = signed_in(ada)
    asked = next_of(client)["id"]
    other = next(one.pk for one in few if one.pk != asked)
    told = attempt(client, other, right(other)).json()
    assert told["correct"]
    assert not told["rated"]
    assert PuzzleRating.objects.get(user=ada).attempts == 0


def test_bots_are_not_rated(few):
    bot = User.objects.create_user("Robot", password="x", kind="bot")
    own = solving.rating_of(bot)
    PuzzleRating.objects.filter(pk=own.pk).update(current=few[0])
    assert not solving.attempt(bot, few[0], solution(few[0])[0])["rated"]


def test_a_visitor_solves_with_the_session_alone(few, client):
    asked = next_of(client)
    assert next_of(client) == asked
    told = attempt(client, asked["id"], right(asked["id"])).json()
    assert (told["correct"], told["rated"], told["streak"]) == (True, False, 1)
    assert next_of(client)["id"] != asked["id"]
    assert Attempt.objects.count() == 0


def test_themes_are_filtered(few, ada):
    bit = choosing.bit_of("probability")
    assert bit
    client = signed_in(ada)
    theme = next_of(client, "probability")["id"]
    assert Puzzle.objects.get(pk=theme).tags & bit
    assert client.post("/puzzles/next/", {"theme": "nonsense"}).json()["code"] == "bad_theme"


def test_when_all_are_answered_there_is_none_left(few, ada):
    client = signed_in(ada)
    for _ in few:
        asked = next_of(client)["id"]
        attempt(client, asked, right(asked))
    answer = client.post("/puzzles/next/")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_puzzles")
    assert PuzzleRating.objects.get(user=ada).best_streak == len(few)


@pytest.mark.parametrize("cell", ["", "-1", "x", "9999", "1e3", "99999999999999999999", "²"])
def test_bad_cells_are_refused(few, client, cell):
    asked = next_of(client)["id"]
    answer = client.post(f"/puzzles/{asked}/attempt/", {"cell": cell})
    assert (answer.status_code, answer.json()["code"]) == (400, "not_hidden")


def test_an_open_cell_is_no_answer(few, client):
    asked = next_of(client)
    cell = next(c for c, shown in enumerate(asked["cells"]) if shown != ".")
    assert attempt(client, asked["id"], cell).json()["code"] == "not_hidden"


def test_puzzles_that_players_dislike_are_retired(few, ada):
    puzzle = few[0]
    for number in range(solving.VOTES_TO_RETIRE):
        user = User.objects.create_user(f"Voter{number}", password="x")
        client = signed_in(user)
        address = f"/puzzles/{puzzle.pk}/vote/"
        assert client.post(address, {"vote": -1}).json()["code"] == "not_attempted"
        attempt(client, puzzle.pk, solution(puzzle)[0])
        assert client.post(address, {"vote": 7}).json()["code"] == "bad_vote"
        for _ in range(2):  # a second vote replaces the first
            assert client.post(address, {"vote": -1}).json() == {"vote": -1}
    puzzle.refresh_from_db()
    assert (puzzle.downs, puzzle.retired) == (0, False), "whoever picked it by its address"
    Attempt.objects.filter(puzzle=puzzle).update(rated=True)
    assert client.post(address, {"vote": -1}).json() == {"vote": -1}
    puzzle.refresh_from_db()
    assert (puzzle.downs, puzzle.retired) == (solving.VOTES_TO_RETIRE, True)
    assert puzzle not in choosing.offered()


def test_visitors_do_not_vote(few, client):
    answer = client.post(f"/puzzles/{few[0].pk}/vote/", {"vote": 1})
    assert (answer.status_code, answer.json()["code"]) == (403, "needs_account")


def test_requests_are_limited(few, client, monkeypatch):
    monkeypatch.setattr(requests, "PER_MINUTE", 2)
    codes = [client.post("/puzzles/next/").status_code for _ in range(6)]
    assert codes[0] == 200
    assert codes[-1] == 429


def test_the_puzzle_of_the_day_is_one_for_everybody(few):
    first = choosing.of_the_day(date(2026, 5, 1))
    assert first == choosing.of_the_day(date(2026, 5, 1))
    others = {choosing.of_the_day(date(2026, 5, day)) for day in range(2, 7)}
    assert first not in others
    assert len(others) == 5


def test_pages_tell_no_answer_before_the_attempt(few, ada):
    client = signed_in(ada)
    puzzle = choosing.of_the_day(choosing.today())
    assert puzzle is not None
    for path in ("/puzzles/", "/puzzles/daily/", f"/puzzles/{puzzle.pk}/", "/puzzles/storm/"):
        page = client.get(path).content.decode()
        assert '"solution"' not in page, path
    attempt(client, puzzle.pk, solution(puzzle)[0])
    assert '"solution"' in client.get("/puzzles/daily/").content.decode()
    assert "solved</span>" not in client.get("/puzzles/?theme=chain").content.decode()


def test_unknown_puzzles_are_not_found(few, client):
    for number in (10**6, 2**40):
        assert client.get(f"/puzzles/{number}/").status_code == 404
        assert attempt(client, number, 0).status_code == 404
