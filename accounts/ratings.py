"""Ratings: Plackett-Luce by openskill, for 2 to 6 players and with ties.

What is shown is conservative: three sigmas below the estimate, so that a newcomer starts at 1000
and rises by playing, not by luck. `strength` is the estimate itself, for pairing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models.signals import post_save
from django.dispatch import receiver
from openskill.models import PlackettLuce

from accounts.models import Rating, RatingChange, User

MODEL: Final = PlackettLuce()
NEWCOMER: Final = 1000.0
POINTS: Final = 25.0
"""Shown points for one unit of openskill's scale."""
PROVISIONAL_SIGMA: Final = 4.0


class Skill(NamedTuple):
    mu: float = MODEL.mu
    sigma: float = MODEL.sigma

    @property
    def shown(self) -> float:
        return NEWCOMER + POINTS * (self.mu - 3 * self.sigma)

    @property
    def strength(self) -> float:
        return NEWCOMER + POINTS * (self.mu - MODEL.mu)


class Change(NamedTuple):
    before: Skill
    after: Skill


def rate(skills: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """The skills after a match with these places; equal places are a tie."""
    teams = [[MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Skill(player.mu, player.sigma) for (player,) in rated]


def is_provisional(rating: Rating) -> bool:
    """Too few games to say much."""
    return rating.sigma > PROVISIONAL_SIGMA


def apply(
    mode: str, match_id: str, players: Sequence[int | Skill], ranks: Sequence[int], at: datetime
) -> list[Change]:
    """Change the ratings of these users by one match; inside the caller's transaction, and once
    per match. Rows are locked in the order of the users' ids, so two matches never wait in a ring.
    A player who has no account any more is given as the skill that they had.
    """
    rows = _locked(mode, [player for player in players if isinstance(player, int)])
    before = [
        player if isinstance(player, Skill) else Skill(rows[player].mu, rows[player].sigma)
        for player in players
    ]
    changes = [Change(*pair) for pair in zip(before, rate(before, ranks), strict=True)]
    changed = [
        (player, change)
        for player, change in zip(players, changes, strict=True)
        if isinstance(player, int)
    ]
    for user, change in changed:
        row = rows[user]
        row.mu, row.sigma = change.after
        row.shown, row.games, row.updated_at = change.after.shown, row.games + 1, at
        row.save()
    RatingChange.objects.bulk_create(
        RatingChange(
            user_id=user,
            mode=mode,
            match_id=match_id,
            mu=change.after.mu,
            sigma=change.after.sigma,
            before=change.before.shown,
            after=change.after.shown,
            at=at,
        )
        for user, change in changed
    )
    return changes


def _locked(mode: str, users: Iterable[int]) -> dict[int, Rating]:
    start = Skill()
    for user in User.objects.filter(pk__in=users).order_by("pk"):
        Rating.objects.get_or_create(
            user=user,
            mode=mode,
            defaults={
                "mu": start.mu, "sigma": start.sigma, "shown": start.shown, "board": user.board,
            },
        )  # fmt: skip
    rows = Rating.objects.select_for_update().filter(mode=mode, user_id__in=users)
    return {row.user_id: row for row in rows.order_by("user_id")}


@receiver(post_save, sender=User, dispatch_uid="accounts.rating_board")
def move_to_board(
    sender: Any, instance: User, created: bool, update_fields: Any = None, **kwargs: Any
) -> None:
    """Who is shut out leaves the leaderboards, and returns to them with the account."""
    if created or (update_fields is not None and not {"kind", "is_active"} & set(update_fields)):
        return
    instance.ratings.exclude(board=instance.board).update(board=instance.board)


def strengths_of(user_id: int) -> dict[str, float]:
    """Per mode, what pairing compares."""
    rows = Rating.objects.filter(user_id=user_id).values_list("mode", "mu", "sigma")
    return {mode: Skill(mu, sigma).strength for mode, mu, sigma in rows}
