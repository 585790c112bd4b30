"""Pairs of players who meet in rated matches more often than chance explains, for staff."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from django.db.models import Avg, Count, F, Q, Sum
from django.utils import timezone

from games.models import Meeting
from games.rating import PAIR_FULL, UNTRIED

SPAN: Final = timedelta(days=7)
SHOWN: Final = 100


def often() -> list[dict[str, Any]]:
    """Pairs that met in more rated matches than count in full on one day, most matches first."""
    rows = _lately().filter(user_id__lt=F("opponent_id"))
    return list(
        rows.values(
            "user_id", "opponent_id", one=F("user__username"), other=F("opponent__username")
        )
        .annotate(**_figures())
        .filter(matches__gt=PAIR_FULL)
        .order_by("-matches", "user_id", "opponent_id")[:SHOWN]
    )


def against_new_accounts() -> list[dict[str, Any]]:
    """Players with the most rated wins over accounts that were new."""
    rows = _lately().filter(seat__rating_weight__lte=UNTRIED, result="win")
    return list(
        rows.values("user_id", one=F("user__username"))
        .annotate(**_figures(), accounts=Count("opponent_id", distinct=True))
        .filter(matches__gt=2)
        .order_by("-matches", "user_id")[:SHOWN]
    )


def _lately() -> Any:
    return Meeting.objects.filter(
        seat__match__rated=True, opponent__isnull=False, ended_at__gt=timezone.now() - SPAN
    )


def _figures() -> dict[str, Any]:
    return {
        "matches": Count("pk"),
        "won": Count("pk", filter=Q(result="win")),
        "lost": Count("pk", filter=Q(result="loss")),
        "moves": Avg("seat__moves"),
        "counted": Sum("seat__rating_weight"),
    }
