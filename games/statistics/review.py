"""Decisions about results that are held for review, or that should not have counted."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.moderation.models import StaffAct
from games.statistics import tallies
from games.statistics.models import SoloGame


def decide(game: SoloGame, by: User, state: str) -> None:
    """Let the game count, or not; and count its player's games on such boards again."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=game.user_id)
        SoloGame.objects.filter(pk=game.pk).update(state=state)
        StaffAct.objects.create(
            by=by,
            by_name=by.username,
            act="review",
            target=game.match_id,
            why=f"{game.why}: {state}",
        )
        tallies.rebuild(game.user, game.mode, game.board, game.no_guess, timezone.now())
