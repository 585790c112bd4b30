"""Puzzles in the HTTP API. The answer comes with the attempt, never before it."""

from __future__ import annotations

from random import SystemRandom

from django.http import Http404, HttpRequest
from ninja import Router, Schema
from ninja.params.functions import Path, Query
from pydantic import ConfigDict

from accounts.requests import TokenRequest
from games.api.auth import Bearer, by_address, read
from games.api.problems import ApiError, Problem
from games.puzzles import choosing, solving
from games.puzzles.answers import Refused, question
from games.puzzles.making import TAGS
from games.puzzles.models import Puzzle

router = Router()
random = SystemRandom()
BAD = {400: Problem, 404: Problem, 422: Problem, 429: Problem}
FORBIDDEN = {401: Problem, 403: Problem}
play = Bearer("play")


class PuzzleOut(Schema):
    id: int
    question: str
    """`safe`: find a proven safe cell. `guess`: find the cell with the best chance to win."""
    width: int
    height: int
    cells: str
    """A character per cell, row by row: a number, `.` hidden, `?` open with its number left out,
    `x` a known mine."""
    mines: int | None
    """The hidden mines; null when the position is a part of a larger board."""
    rating: int


class AttemptIn(Schema):
    model_config = ConfigDict(strict=True)

    cell: int


class ProofOut(Schema):
    cell: int
    numbers: list[int]
    """The numbers that prove that the cell is safe; none can be left out."""
    mine_count: bool
    """The mine count is needed, too."""


class ChanceOut(Schema):
    mines: int
    wins: int


class ChangeOut(Schema):
    before: int
    after: int


class AnswerOut(Schema):
    id: int
    cell: int
    correct: bool
    solution: list[int]
    mines: list[int]
    """The hidden cells that are proven mines."""
    themes: list[str]
    rating: int
    rated: bool
    you: ChangeOut | None = None
    again: bool
    """It was answered before: only the first answer counts."""
    proof: ProofOut | None = None
    arrangements: int | None = None
    chances: dict[int, ChanceOut] | None = None
    """For a guess, by cell: in how many of the arrangements it is a mine, and in how many the best
    play wins after opening it."""


@router.get("puzzles/daily", auth=by_address, response={200: PuzzleOut, **BAD}, tags=["puzzles"])
def daily_puzzle(request: HttpRequest) -> PuzzleOut:
    """The puzzle of the day (UTC)."""
    puzzle = choosing.of_the_day(choosing.today())
    if puzzle is None:
        raise Http404
    return PuzzleOut(**question(puzzle))


@router.get(
    "puzzles/next", auth=read, response={200: PuzzleOut, **FORBIDDEN, **BAD}, tags=["puzzles"]
)
def next_puzzle(
    request: TokenRequest, theme: str = Query("", pattern=f"^({'|'.join(TAGS)})?$")
) -> PuzzleOut:
    """The puzzle that this token's account has before it: the same until it is answered."""
    try:
        return PuzzleOut(**question(solving.next_for(request.auth.user, theme, random)))
    except Refused as error:
        status = 404 if error.code == "no_puzzles" else 400
        raise ApiError(status, error.code, error.text) from None


@router.post(
    "puzzles/{puzzle_id}/attempt", auth=play, response={200: AnswerOut, **FORBIDDEN, **BAD},
    tags=["puzzles"],
)  # fmt: skip
def attempt_puzzle(
    request: TokenRequest, given: AttemptIn, puzzle_id: int = Path(..., ge=1, lt=2**31)
) -> AnswerOut:
    """Answer a puzzle. The first answer to the puzzle before the account is rated."""
    puzzle = Puzzle.objects.filter(pk=puzzle_id).first()
    if puzzle is None:
        raise Http404
    try:
        told = solving.attempt(request.auth.user, puzzle, given.cell)
    except Refused as error:
        raise ApiError(400, error.code, error.text) from None
    return AnswerOut(**told)
