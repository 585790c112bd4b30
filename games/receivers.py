"""Receivers of other apps' signals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.signals import NotNow, access_ended, deleting, exporting
from games import daily, meetings
from games.access import CHANNEL, Ended
from games.live.entry import Entry, pack_log, unpack_log
from games.live.host import RENAMED
from games.live.setup import SeatInfo, decode_setup
from games.live.stored_log import KEPT_SECONDS
from games.models import Match, Meeting, Seat
from games.rating import keep_skills, rate_matches
from games.redis import key, sync_redis
from games.signals import matches_archived


@receiver(access_ended, dispatch_uid="games.close_sockets")
def close_sockets(
    sender: Any,
    user_id: int,
    session_key: str | None = None,
    token_id: int | None = None,
    **kwargs: Any,
) -> None:
    """Every process closes the match sockets that this concerns, within two seconds."""
    ended = Ended(user_id, session_key, token_id)
    sync_redis().publish(key(CHANNEL), msgspec.json.encode(ended))


@receiver(matches_archived, dispatch_uid="games.count")
def count(sender: Any, matches: Sequence[Match], **kwargs: Any) -> None:
    """In the transaction of the archive: results, records and ratings are stored together or not
    at all."""
    meetings.note([list(match.seats.all()) for match in matches])
    rate_matches(matches)
    for match in matches:
        daily.count(match)


@receiver(exporting, dispatch_uid="games.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """Every match of the user, as anybody may see it, and their boards of the day."""
    seats = Seat.objects.filter(user=user).select_related("match").defer("match__log")
    return {
        "boards_of_the_day": list(
            user.daily_results.order_by("pk").values(
                "board_id", "match_id", "cleared", "aided", "time_ms"
            )
        ),
        "matches": [
            {
                "match": seat.match_id,
                "mode": seat.match.mode,
                "options": seat.match.options,
                "rated": seat.match.rated,
                "source": seat.match.source,
                "status": seat.match.status,
                "created": seat.match.created_at,
                "ended": seat.ended_at,
                "duration_ms": seat.match.duration_ms,
                "seat": seat.number,
                "name": seat.name,
                "players": [other.name for other in seat.match.seats.all()],
                "rank": seat.rank,
                "score": seat.score,
                "result": seat.result,
                "rating_before": seat.rating_before,
                "rating_after": seat.rating_after,
                "address": seat.match.get_absolute_url(),
            }
            for seat in seats.prefetch_related("match__seats").order_by("match__created_at", "pk")
        ],
    }


DELETED = "deleted"


@receiver(deleting, dispatch_uid="games.forget")
def forget(sender: Any, user: User, **kwargs: Any) -> None:
    """Matches stay, and so does what can be checked of them; the name goes, from the logs too."""
    seats = Seat.objects.filter(user=user)
    if seats.filter(match__status=Match.Status.LIVE).exists():
        raise NotNow(_("You have a match in progress. Finish it or give up first."))
    for match in Match.objects.filter(seats__user=user, log__isnull=False).iterator(100):
        match.log = pack_log(_without_name(unpack_log(bytes(match.log or b"")), user.pk))
        match.save(update_fields=["log"])
    keep_skills(user)
    # Redis still has the logs of those that ended lately, with the name in them.
    lately = timezone.now() - 2 * timedelta(seconds=KEPT_SECONDS)
    ended = list(seats.filter(ended_at__gte=lately).values_list("match_id", flat=True))
    seats.update(user=None, name=DELETED)
    if ended:
        transaction.on_commit(lambda: sync_redis().publish(key(RENAMED), ",".join(ended)))
    Meeting.objects.filter(opponent=user).update(opponent=None, name=DELETED)
    Meeting.objects.filter(user=user).delete()


def _without_name(entries: list[Entry], user_id: int) -> list[Entry]:
    setup = decode_setup(entries[0].data)
    seats = [
        SeatInfo(None, DELETED, seat.kind) if seat.user_id == user_id else seat
        for seat in setup.seats
    ]
    anonymous = msgspec.structs.replace(setup, seats=seats).encode()
    return [msgspec.structs.replace(entries[0], data=anonymous), *entries[1:]]
