"""What is written down beside the result, so that histories and profiles read little."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import F

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
    for seat in sorted(counted, key=lambda seat: seat.user_id or 0):
        result = str(seat.result)
        record, _made = Record.objects.get_or_create(user_id=seat.user_id)
        Record.objects.filter(pk=record.pk).update(**{result: F(result) + 1})
