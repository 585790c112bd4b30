"""Receivers of other apps' signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from accounts.signals import deleting, exporting
from games.models import Match
from games.redis import sync_redis
from games.signals import matches_archived
from lobby.store import named
from lobby.tournaments import results, solo
from lobby.tournaments.models import Entrant, Tournament

DELETED = "deleted"


@receiver(matches_archived, dispatch_uid="tournaments.note")
def note(sender: Any, matches: Sequence[Match], **kwargs: Any) -> None:
    """In the transaction of the archive: a result counts in its tournament once."""
    # All of them in one order, before anything is changed: see results.lock.
    if ids := results.tournaments_of(matches) | solo.tournaments_of(matches):
        results.lock(ids)
    results.note(matches)
    solo.note(matches)


@receiver(exporting, dispatch_uid="tournaments.export")
def export(sender: Any, user: User, **kwargs: Any) -> dict[str, Any]:
    """The tournaments that the user has joined, and those that they have organised."""
    entries = Entrant.objects.filter(user=user).order_by("pk")
    made = Tournament.objects.filter(organiser=user).order_by("created_at")
    return {
        "tournaments": list(
            entries.values("tournament_id", "state", "joined_at", title=F("tournament__name"))
        ),
        "organised_tournaments": list(made.values("id", "name", "kind", "mode", "starts_at")),
    }


@receiver(deleting, dispatch_uid="tournaments.forget")
def forget(sender: Any, user: User, **kwargs: Any) -> None:
    """Tables stay, the name goes. Tournaments that haven't begun are cancelled if nobody has
    joined; the others go on without an organiser."""
    entries = Entrant.objects.filter(user=user)
    open_ones = (Tournament.Status.PLANNED, Tournament.Status.RUNNING)
    shown = set(entries.values_list("tournament_id", flat=True))
    organised = Tournament.objects.filter(organiser=user).values_list("pk", flat=True)
    results.lock(shown | set(organised))
    entries.filter(tournament__status__in=open_ones).update(state=Entrant.State.WITHDRAWN)
    entries.update(user=None, name=DELETED)
    planned = Tournament.objects.filter(organiser=user, status=Tournament.Status.PLANNED)
    empty = planned.exclude(entrants__state=Entrant.State.ACTIVE)
    cancelled = list(empty.values_list("pk", flat=True))
    Tournament.objects.filter(pk__in=cancelled).update(
        status=Tournament.Status.CANCELLED, reason="organiser", ended_at=timezone.now()
    )
    Tournament.objects.filter(organiser=user).update(organiser=None)
    Tournament.objects.filter(pk__in=shown | set(cancelled)).update(version=F("version") + 1)
    if shown:
        names = [named(f"shown:{one}") for one in shown]
        transaction.on_commit(lambda: sync_redis().delete(*names))
