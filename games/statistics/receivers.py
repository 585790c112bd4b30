"""Receivers of other apps' signals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import exporting
from games.analysing.parts import ANALYSIS
from games.models import Match
from games.signals import match_computed, matches_archived
from games.statistics import accuracy, recording


@receiver(matches_archived, dispatch_uid="statistics.record")
def record(
    sender: Any,
    matches: Sequence[Match],
    logs: Mapping[str, recording.Log] | None = None,
    **kwargs: Any,
) -> None:
    """In the transaction of the archive: the figures are stored with the match or not at all."""
    recording.record(matches, logs or {})
    accuracy.await_analysis(matches)


@receiver(match_computed, dispatch_uid="statistics.accuracy")
def take_over(
    sender: Any, match_id: str, part: str, told: Callable[[], dict[str, Any]], **kwargs: Any
) -> None:
    if part == ANALYSIS:
        accuracy.note(match_id, told)


@receiver(post_save, sender=User, dispatch_uid="statistics.board")
def move_to_board(
    sender: Any, instance: User, created: bool, update_fields: Any = None, **kwargs: Any
) -> None:
    """A guest who signs up comes onto the leaderboards, a banned player leaves them."""
    if created or (update_fields is not None and not {"kind", "is_active"} & set(update_fields)):
        return
    instance.bests.exclude(who=instance.board).update(who=instance.board)


@receiver(exporting, dispatch_uid="statistics.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The figures of the user's games, and the accuracy of their moves."""
    return {
        "solo_games": list(
            user.solo_games.order_by("ended_at", "pk").values(
                "match_id", "mode", "board", "no_guess", "ended_at", "won", "aided", "state",
                "time_ms", "bbbv", "bbbv_done", "reveals", "flags", "chords", "is_best",
            )
        ),
        "accuracies": list(
            user.accuracies.order_by("pk").values(
                "match_id", "number", "moves", "analysed", "given_up", "luck"
            )
        ),
    }  # fmt: skip
