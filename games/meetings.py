"""Keeps meetings and records beside the results, so that histories and profiles read little."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from django.db.models import F, Q

from games.models import Meeting, Record, Seat

COUNTED = (Seat.Result.WIN, Seat.Result.LOSS, Seat.Result.DRAW)


def note(matches: Sequence[Sequence[Seat]]) -> None:
    """Once for the seats of each finished match, in the transaction that stores its results.
    Records are changed in the order of the users' ids, so two transactions never wait for each
    other in a ring."""
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
        for seats in matches
        for seat in seats
        for other in seats
        if seat.user_id is not None and seat.ended_at is not None and other.number != seat.number
    )
    results: dict[tuple[int, int | None], Counter[str]] = defaultdict(Counter)
    for seats in matches:
        users = {seat.user_id for seat in seats if seat.user_id is not None}
        for seat in seats:
            if seat.user_id is not None and seat.result in COUNTED:
                for opponent in (None, *(users - {seat.user_id})):
                    results[seat.user_id, opponent][str(seat.result)] += 1
    if results:
        _count(results)


def _count(results: dict[tuple[int, int | None], Counter[str]]) -> None:
    """Add these to the records of each user against each opponent."""
    users = {user for user, _opponent in results}
    opponents = {opponent for _user, opponent in results if opponent is not None}
    in_order = sorted(results, key=lambda pair: (pair[0], pair[1] or 0))
    Record.objects.bulk_create(
        (Record(user_id=user, opponent_id=opponent) for user, opponent in in_order),
        ignore_conflicts=True,
    )
    rows = (
        Record.objects.select_for_update()
        .filter(Q(opponent=None) | Q(opponent_id__in=opponents), user_id__in=users)
        .order_by("user_id", F("opponent_id").asc(nulls_first=True))
        .values_list("pk", "user_id", "opponent_id")
    )
    same: dict[frozenset[tuple[str, int]], list[int]] = defaultdict(list)
    for pk, user, opponent in rows:
        if (user, opponent) in results:
            same[frozenset(results[user, opponent].items())].append(pk)
    for counts, records in same.items():
        Record.objects.filter(pk__in=records).update(
            **{result: F(result) + number for result, number in counts}
        )
