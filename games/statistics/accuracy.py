"""What the analysis of a match found, taken over once: the accuracy of its seats, the sums of its
players, and their luck-free ratings. docs/analysis.md explains the method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from django.db import transaction

from accounts.models import User
from accounts.ratings import rate
from games.engine.registry import REGISTRY
from games.models import Match, Seat
from games.statistics.models import Awaiting, ModeAccuracy, SeatAccuracy

CLOSE: Final = 0.01
"""Scores with average luck that differ by less than this share of the best are the same: the result
decides then."""
ENOUGH: Final = 0.5
"""The share of a seat's moves that must be analysed for its score with average luck to count."""

Told = dict[str, Any]


def await_analysis(matches: Iterable[Match]) -> None:
    """In the transaction that stores these matches: have them analysed."""
    Awaiting.objects.bulk_create(
        [Awaiting(match=match) for match in matches if is_to_be_analysed(match)],
        ignore_conflicts=True,
    )


def is_to_be_analysed(match: Match) -> bool:
    """It has a judge, was played to its end, and concerns an account."""
    mode = REGISTRY.get(match.mode)
    if mode is None or mode.judge is None or match.status != Match.Status.OVER:
        return False
    spec = mode.rules.spec
    if match.rules_version not in (spec.version, *spec.replays):
        return False
    return any(seat.user_id is not None and seat.moves != 0 for seat in match.seats.all())


def note(match_id: str, told: Callable[[], Told]) -> bool:
    """Take over the analysis of a match that waits for it; True when this call did so. Whoever
    deletes the row that waits has the match to itself, so nothing counts twice."""
    with transaction.atomic():
        if not Awaiting.objects.filter(pk=match_id).delete()[0]:
            return False
        match = Match.objects.defer("log").prefetch_related("seats").get(pk=match_id)
        _note(match, told()["players"])
        return True


def _note(match: Match, players: Sequence[Told]) -> None:
    seats = {seat.number: seat.user_id for seat in match.seats.all() if seat.user_id is not None}
    rows = [
        SeatAccuracy(
            match=match,
            number=player["seat"],
            user_id=seats[player["seat"]],
            moves=player["moves"],
            analysed=player["analysed"],
            given_up=player["given_up"],
            luck=player["luck"],
        )
        for player in players
        if player["seat"] in seats and player["analysed"]
    ]
    users = sorted(set(seats.values()))
    # The order in which the archive locks them, too.
    list(
        User.objects.select_for_update(no_key=True).filter(pk__in=users).order_by("pk").values("pk")
    )
    SeatAccuracy.objects.bulk_create(rows)
    sums = {
        user: ModeAccuracy.objects.get_or_create(user_id=user, mode=match.mode)[0] for user in users
    }
    for row in rows:
        total = sums[row.user_id]
        total.matches += 1
        total.analysed += row.analysed
        total.given_up += row.given_up
        total.luck += row.luck
    _rate(list(match.seats.all()), players, sums)
    for total in sums.values():
        total.save()


def _rate(seats: list[Seat], players: Sequence[Told], sums: dict[int, ModeAccuracy]) -> None:
    """Change the luck-free ratings as the ordinary ones were, but by the places with average
    luck."""
    if not any(seat.rating_weight for seat in seats):
        return
    if len(sums) != len(seats) or len(players) != len(seats):
        return  # an account that is gone, or plays against itself
    ranks = luck_free_ranks(seats, players)
    rows = [sums[seat.user_id] for seat in seats if seat.user_id is not None]
    if ranks is None or len(rows) != len(seats):
        return
    new = rate([row.skill for row in rows], ranks)
    for seat, row, skill in zip(seats, rows, new, strict=True):
        weight = seat.rating_weight or 0.0
        row.mu += weight * (skill.mu - row.mu)
        row.sigma += weight * (skill.sigma - row.sigma)
        row.rated += weight > 0


def luck_free_ranks(seats: Sequence[Seat], players: Sequence[Told]) -> list[int] | None:
    """The places by the score with average luck; where these are about the same, by the result.
    None when too few moves were analysed to say."""
    scores = []
    for seat, player in zip(seats, players, strict=True):
        score = player["adjusted_score"]
        if player["moves"] == 0:  # no luck in it at all
            score = player["score"]
        elif player["analysed"] < ENOUGH * player["moves"]:
            return None
        if score is None or seat.rank is None:
            return None
        scores.append(float(score))
    close = CLOSE * max(scores, default=0.0)
    order = sorted(range(len(seats)), key=lambda i: (-scores[i], seats[i].rank))
    groups: list[list[int]] = []
    for i in order:
        if groups and scores[groups[-1][0]] - scores[i] <= close:
            groups[-1].append(i)
        else:
            groups.append([i])
    ranks, place = [0] * len(seats), 1
    for group in groups:
        results = sorted(seats[i].rank or 0 for i in group)
        for i in group:
            ranks[i] = place + results.index(seats[i].rank or 0)
        place += len(group)
    return ranks
