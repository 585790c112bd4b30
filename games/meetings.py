"""What is written down beside the result, so that histories and profiles read little."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F, Q

from games.models import Meeting, Record, Seat

COUNTED = (Seat.Result.WIN, Seat.Result.LOSS, Seat.Result.DRAW)


def note(seats: Sequence[Seat]) -> None:
    """Once per finished match, in the transaction that stores its results. Records are changed in
    the order of the users' ids, so two matches never wait for each other in a ring."""
    Meeting.objects.bulk_create(
        Meeting(
            seat=seat,
            user_id=seat.user_id,
            opponent_id=other.user_id,
            name=other.name.lower(),
            mode=seat.mode,
            result=seat.result,
            ended_at=seat.ended_at,
        )
        for seat in seats
        for other in seats
        if seat.user_id is not None and other.number != seat.number
    )
    counted = [seat for seat in seats if seat.user_id is not None and seat.result in COUNTED]
    _count(sorted(counted, key=lambda seat: seat.user_id or 0), seats)


def _count(counted: Sequence[Seat], seats: Sequence[Seat]) -> None:
    against = {
        seat.user_id: sorted({other.user_id for other in seats} - {seat.user_id, None})
        for seat in counted
    }
    Record.objects.bulk_create(
        (
            Record(user_id=user, opponent_id=other)
            for user, others in against.items()
            for other in (None, *others)
        ),
        ignore_conflicts=True,
    )
    # Whoever counts for a player holds the row of all that player's matches first.
    all_of = Record.objects.filter(user_id__in=list(against), opponent=None)
    list(all_of.select_for_update().order_by("user_id"))
    for seat in counted:
        result = str(seat.result)
        rows = Record.objects.filter(user_id=seat.user_id)
        met = Q(opponent=None) | Q(opponent_id__in=against[seat.user_id])
        rows.filter(met).update(**{result: F(result) + 1})
