"""Puzzles in the HTTP API."""

from __future__ import annotations

import pytest

from accounts import tokens
from games.puzzles.answers import solution
from games.puzzles.models import Puzzle

pytestmark = pytest.mark.django_db


@pytest.fixture
def bearer(ada) -> dict[str, str]:
    secret = tokens.issue(ada, "test", ["read", "play"])[1]
    return {"HTTP_AUTHORIZATION": f"Bearer {secret}"}


def test_a_puzzle_is_asked_for_and_answered(few, client, bearer):
    asked = client.get("/api/v1/puzzles/next", **bearer).json()
    assert "solution" not in asked
    puzzle = Puzzle.objects.get(pk=asked["id"])
    address = f"/api/v1/puzzles/{puzzle.pk}/attempt"
    bad = client.post(address, {"cell": 999}, content_type="application/json", **bearer)
    assert (bad.status_code, bad.json()["code"]) == (400, "not_hidden")
    given = {"cell": solution(puzzle)[0]}
    told = client.post(address, given, content_type="application/json", **bearer).json()
    assert (told["correct"], told["rated"], told["again"]) == (True, True, False)
    assert told["you"]["after"] > told["you"]["before"]


def test_anybody_reads_the_puzzle_of_the_day(few, client):
    told = client.get("/api/v1/puzzles/daily").json()
    assert set(told) == {"id", "question", "width", "height", "cells", "mines", "rating"}


def test_refusals_are_problem_documents(few, client, bearer):
    assert client.get("/api/v1/puzzles/next").status_code == 401
    bad = client.get("/api/v1/puzzles/next?theme=nonsense", **bearer)
    assert (bad.status_code, bad.json()["code"]) == (422, "bad_request")
    address = "/api/v1/puzzles/99999/attempt"
    none = client.post(address, {"cell": 1}, content_type="application/json", **bearer)
    assert none.status_code == 404
