"""Receivers of other apps' signals."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting
from games.puzzles.models import PuzzleRating


@receiver(exporting, dispatch_uid="puzzles.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The user's answers, votes, storms and rating."""
    rating = PuzzleRating.objects.filter(user=user)
    return {
        "puzzle_rating": rating.values(
            "mu", "sigma", "attempts", "solved", "streak", "best_streak"
        ).first(),
        "puzzle_attempts": list(
            user.puzzle_attempts.order_by("pk").values(
                "puzzle_id", "cell", "correct", "rated", "before", "after", "vote", "at"
            )
        ),
        "puzzle_storms": list(
            user.storms.order_by("started_at").values("started_at", "score", "wrong")
        ),
    }
