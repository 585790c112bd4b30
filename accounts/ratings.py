"""Ratings: Plackett-Luce by openskill, for 2 to 6 players and with ties.

The rating shown is conservative: three sigmas below the estimate, so that a newcomer starts at 1000
and rises by playing, not by luck. `strength` is the estimate itself, for pairing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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


def _between(old: Skill, new: Skill, share: float) -> Skill:
    if share == 1.0:
        return new
    return Skill(old.mu + share * (new.mu - old.mu), old.sigma + share * (new.sigma - old.sigma))


def is_provisional(rating: Rating) -> bool:
    """Too few games to say much."""
    return rating.sigma > PROVISIONAL_SIGMA


class Result(NamedTuple):
    """One match, for its players' ratings."""

    mode: str
    match_id: str
    players: Sequence[int | Skill]
    """A player who has no account any more is given as the skill that they had."""
    ranks: Sequence[int]
    at: datetime
    weights: Sequence[float]
    """The share of the change that each player gets; 0: as if the match had not been played."""


def apply_all(results: Sequence[Result]) -> list[list[Change]]:
    """Change the ratings of these users, each of whom is in one of these matches; inside the
    caller's transaction, and once per match. Rows are locked in the order of the modes' names and
    the users' ids, so two transactions never wait in a ring."""
    rows: dict[tuple[str, int], Rating] = {}
    for mode in sorted({result.mode for result in results}):
        users = {
            player
            for result in results
            for player in result.players
            if result.mode == mode and isinstance(player, int)
        }
        rows |= {(mode, user): row for user, row in _locked(mode, users).items()}
    changed: list[Rating] = []
    noted: list[RatingChange] = []
    every: list[list[Change]] = []
    for mode, match_id, players, ranks, at, weights in results:
        before = [
            player
            if isinstance(player, Skill)
            else Skill(rows[mode, player].mu, rows[mode, player].sigma)
            for player in players
        ]
        changes = [
            Change(old, _between(old, new, share))
            for old, new, share in zip(before, rate(before, ranks), weights, strict=True)
        ]
        every.append(changes)
        for player, change, share in zip(players, changes, weights, strict=True):
            if isinstance(player, Skill) or share <= 0:
                continue
            row = rows[mode, player]
            row.mu, row.sigma = change.after
            row.shown, row.games, row.updated_at = change.after.shown, row.games + 1, at
            changed.append(row)
            noted.append(
                RatingChange(
                    user_id=player,
                    mode=mode,
                    match_id=match_id,
                    mu=change.after.mu,
                    sigma=change.after.sigma,
                    before=change.before.shown,
                    after=change.after.shown,
                    at=at,
                )
            )
    Rating.objects.bulk_update(changed, ["mu", "sigma", "shown", "games", "updated_at"])
    RatingChange.objects.bulk_create(noted)
    return every


def _locked(mode: str, users: Collection[int]) -> dict[int, Rating]:
    start = Skill()
    new = User.objects.filter(pk__in=users).exclude(ratings__mode=mode).order_by("pk")
    Rating.objects.bulk_create(
        (
            Rating(
                user=user, mode=mode,
                mu=start.mu, sigma=start.sigma, shown=start.shown, board=user.board,
            )
            for user in new
        ),
        ignore_conflicts=True,
    )  # fmt: skip
    rows = Rating.objects.select_for_update().filter(mode=mode, user_id__in=users)
    return {row.user_id: row for row in rows.order_by("user_id")}


@receiver(post_save, sender=User, dispatch_uid="accounts.rating_board")
def move_to_board(
    sender: Any, instance: User, created: bool, update_fields: Any = None, **kwargs: Any
) -> None:
    """A banned player leaves the leaderboards, and returns to them with the account."""
    if created or (update_fields is not None and not {"kind", "is_active"} & set(update_fields)):
        return
    instance.ratings.exclude(board=instance.board).update(board=instance.board)


def strengths_of(user_ids: Collection[int]) -> dict[int, dict[str, float]]:
    """By user and mode, what pairing compares; without users who have no rating yet."""
    rows = Rating.objects.filter(user_id__in=user_ids)
    found: dict[int, dict[str, float]] = {}
    for user_id, mode, mu, sigma in rows.values_list("user_id", "mode", "mu", "sigma"):
        found.setdefault(user_id, {})[mode] = Skill(mu, sigma).strength
    return found
