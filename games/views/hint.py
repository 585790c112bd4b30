"""A hint in a game for one. It is written into the log before it is given: no hint is free."""

from __future__ import annotations

import asyncio
import secrets
from typing import Final

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from games.engine.registry import REGISTRY
from games.live.host import NoSuchMatch, host
from games.live.match_state import AID
from games.live.replica import Replica
from games.live.setup import UnknownRules

REFUSALS: Final = {
    "not_your_game": (403, "Only the player of this game can ask for hints."),
    "no_hints_here": (409, "Hints are for running games that you play alone."),
    "nothing_to_hint": (409, "There is nothing to say about that."),
    "bad_cell": (400, "That isn’t a cell of this board."),
}
"""Codes with their HTTP status and text; what the engine refuses keeps its own code."""


@never_cache
@require_POST
async def hint(request: HttpRequest, match_id: str) -> JsonResponse:
    """`cell` (optional): that cell's verdict and why; else the best next one. docs/solver.md."""
    asked = request.POST.get("cell", "")
    if asked and not (asked.isascii() and asked.isdigit() and len(asked) < 6):
        return _refused("bad_cell")
    try:
        replica = await host().join(match_id)
    except (NoSuchMatch, UnknownRules):
        return _refused("no_hints_here")
    try:
        user = await request.auser()
        return await _answer(replica, user.pk, int(asked) if asked else None)
    finally:
        host().leave(replica)


async def _answer(replica: Replica, user_id: int | None, cell: int | None) -> JsonResponse:
    setup = replica.state.setup
    help_with = REGISTRY[setup.mode].hint if setup.mode in REGISTRY else None
    if help_with is None or len(setup.seats) != 1:
        return _refused("no_hints_here")
    if user_id is None or setup.seats[0].user_id != user_id:
        return _refused("not_your_game")
    if replica.over is not None or replica.view(0)["phase"] != "live":
        return _refused("no_hints_here")
    # First the record, then the help.
    stored = await replica.act(0, f"hint-{secrets.token_hex(8)}", b'{"type":"%s"}' % AID.encode())
    if not stored.stored:
        return JsonResponse({"code": stored.code, "text": stored.text}, status=409)
    found = await asyncio.to_thread(help_with, replica.view(0), cell)
    return _refused("nothing_to_hint") if found is None else JsonResponse(found.as_json())


def _refused(code: str) -> JsonResponse:
    status, text = REFUSALS[code]
    return JsonResponse({"code": code, "text": text}, status=status)
