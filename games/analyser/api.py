"""`POST /api/v1/analyse`: what follows from a position. docs/analyser.md describes it."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from games.analyser import desk, position
from games.analyser.answer import Asked
from games.analyser.position import MOST_CELLS, MOST_TEXT, PositionError, read
from games.api.auth import by_address
from games.api.limits import count
from games.api.problems import ApiError, Problem

SHARE: Final = 0.4
"""Of the requests that an address may send, so many may be positions."""
RETRY_SECONDS: Final = 5
CODES: Final = {**position.CODES, **desk.TEXTS}
CONFLICTS: Final = {
    "known_mines": "The board shows {found} mines, and is said to have {mines}.",
    "closed_cells": "The board has {mines} mines, and only {found} cells for them.",
    "number_too_small": "The {number} in row {row}, column {column} touches {found} known mines.",
    "number_too_large": "The {number} in row {row}, column {column} has only {found} cells for its "
    "mines.",
    "mines_too_few": "These numbers need at least {found} mines; the board has {mines}.",
    "mines_too_many": "These numbers leave room for {found} mines; the board has {mines}.",
    "mine_count": "These numbers don’t fit a board with {mines} mines.",
    "numbers": "These numbers can’t all be right.",
}


class AnalyseIn(Schema):
    position: str = Field(max_length=MOST_TEXT)
    mines: int | None = Field(None, ge=0, le=MOST_CELLS)
    cell: int | None = Field(None, ge=0, lt=MOST_CELLS)


class ProofOut(Schema):
    cell: int
    kind: Literal["safe", "mine", "guess", "undecided"]
    chance: float
    numbers: list[int]
    mine_count: bool


class ConflictOut(Schema):
    kind: str
    numbers: list[int]
    found: int | None
    text: str


class ArrangementsOut(Schema):
    log10: float
    count: int | None


class FlagsOut(Schema):
    wrong: list[int]
    unproven: list[int]


class AnalysisOut(Schema):
    position: str
    width: int
    height: int
    mines: int
    cells: list[int]
    status: Literal["open", "cleared", "contradiction"]
    conflict: ConflictOut | None = None
    chances: list[float | None] | None = None
    exact: bool = True
    safe: list[int] = []
    proven_mines: list[int] = []
    arrangements: ArrangementsOut | None = None
    best: ProofOut | None = None
    win: float | None = None
    wins: list[tuple[int, float]] = []
    flags: FlagsOut | None = None
    why: ProofOut | None = None


router = Router()


async def counted(request: HttpRequest) -> bool:
    """Needs no token, but is counted by address."""
    await sync_to_async(_count)(request)
    return True


def _count(request: HttpRequest) -> None:
    by_address(request)
    most = max(1, int(SHARE * settings.API_REQUESTS_PER_MINUTE))
    count(f"analyser-address:{request.META.get('REMOTE_ADDR', '?')}", most)


@router.post(
    "analyse", auth=counted, tags=["analyser"], url_name="analyse",
    response={200: AnalysisOut, **dict.fromkeys((400, 409, 422, 429, 503), Problem)},
)  # fmt: skip
async def analyse(request: HttpRequest, asked: AnalyseIn) -> dict[str, Any]:
    """Mine probabilities, what is proven and by which numbers, the best move, and in small endgames
    the chance to win. `position` is the code of a link, or text (docs/analyser.md). With `cell`,
    `why` has the proof for that cell."""
    try:
        shown = read(asked.position, asked.mines)
        if asked.cell is not None and asked.cell >= len(shown.cells):
            raise PositionError("position_cell")
    except PositionError as error:
        raise ApiError(409, error.code, str(error), **error.about) from None
    visitor = request.META.get("REMOTE_ADDR", "")
    try:
        raw = await desk.desk().ask(Asked(shown, asked.cell), visitor)
    except desk.NoAnswer as error:
        status = 503 if error.code == "analyser_busy" else 409
        more = {"retry_after": RETRY_SECONDS} if status == 503 else {}
        raise ApiError(status, error.code, str(error), **more) from None
    found: dict[str, Any] = msgspec.json.decode(raw)
    if conflict := found.get("conflict"):
        conflict["text"] = _sentence(found, conflict)
    return found


def _sentence(found: dict[str, Any], conflict: dict[str, Any]) -> str:
    cell = conflict["numbers"][0] if conflict["numbers"] else 0
    row, column = divmod(cell, found["width"])
    return CONFLICTS[conflict["kind"]].format(
        found=conflict["found"], mines=found["mines"], number=found["cells"][cell],
        row=row + 1, column=column + 1,
    )  # fmt: skip
