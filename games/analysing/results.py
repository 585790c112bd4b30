"""Results in the database: what the worker has computed, and what it computes from."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from django.db import transaction
from django.utils import timezone

from games.analysing import body as bodies
from games.analysing.body import Body
from games.analysing.parts import lane_of
from games.models import Computed, Match
from games.signals import match_computed

MOST_COPIES: Final = 500
"""Results that can be computed again: the oldest beyond this many are deleted."""


async def find(match_id: str, part: str) -> Body | None:
    """The result in its present version."""
    rows = Computed.objects.filter(match_id=match_id, part=part, version=lane_of(part).version)
    async for packed, crc, size in rows.values_list("packed", "crc", "size"):
        return Body(bytes(packed), crc, size)
    return None


def log_of(match_id: str, part: str) -> bytes | None:
    """The log to compute this part from; None when there is nothing to do."""
    row = Computed.objects.filter(match_id=match_id, part=part, version=lane_of(part).version)
    if row.exists():
        return None
    log = Match.objects.filter(pk=match_id).values_list("log", flat=True).first()
    return None if log is None else bytes(log)


def store(match_id: str, part: str, body: Body) -> None:
    """Doing it again changes nothing."""
    with transaction.atomic():
        _store(match_id, part, body)
        match_computed.send(sender=Computed, match_id=match_id, part=part, told=lambda: told(body))


def told(body: Body) -> dict[str, Any]:
    """The result itself."""
    return msgspec.json.decode(bodies.plain(body, {}), type=dict[str, Any])


def _store(match_id: str, part: str, body: Body) -> None:
    lane = lane_of(part)
    Computed.objects.update_or_create(
        match_id=match_id,
        part=part,
        defaults={
            "version": lane.version,
            "packed": body.packed,
            "crc": body.crc,
            "size": body.size,
            "made_at": timezone.now(),
            "is_copy": not lane.stays,
        },
    )
    if not lane.stays:
        copies = Computed.objects.filter(is_copy=True).order_by("-made_at")
        old = list(copies.values_list("pk", flat=True)[MOST_COPIES : MOST_COPIES + 50])
        Computed.objects.filter(pk__in=old).delete()
