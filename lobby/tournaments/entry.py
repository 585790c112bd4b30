"""Joining, pausing and leaving a tournament: by page, API and socket alike."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Rating, User
from lobby.tournaments.errors import TournamentError
from lobby.tournaments.models import Entrant, Tournament
from lobby.tournaments.results import lock, touch

MOST_PLAYERS: Final = 500
"""Of one tournament: a wave for so many takes less than 200 ms."""
MOST_ENTRIES: Final = 20
"""Tournaments that a player may be in at once, counting those that haven't begun."""
NEWCOMER: Final = 1000.0
KINDS: Final = (User.Kind.REGISTERED, User.Kind.BOT)
OPEN: Final = (Tournament.Status.PLANNED, Tournament.Status.RUNNING)


def find(tournament_id: str) -> Tournament:
    """Raises TournamentError."""
    found = Tournament.objects.filter(pk=tournament_id).select_related("organiser").first()
    if found is None:
        raise TournamentError("no_such_tournament")
    return found


def refusal(tournament: Tournament, user: User) -> TournamentError | None:
    """Why this user may not enter, or None."""
    if not tournament.is_open:
        return TournamentError("tournament_over")
    if user.kind not in KINDS:
        return TournamentError("tournament_account")
    if user.kind == User.Kind.BOT and not tournament.bots:
        return TournamentError("tournament_bots")
    if user.date_joined > timezone.now() - timedelta(days=tournament.min_days):
        text = ngettext(
            "This tournament is for accounts that are at least {n} day old.",
            "This tournament is for accounts that are at least {n} days old.",
            tournament.min_days,
        )
        return TournamentError("tournament_age", text.format(n=tournament.min_days))
    rating = rating_of(user, tournament.mode)
    low, high = tournament.min_rating, tournament.max_rating
    if (low is not None and rating < low) or (high is not None and rating > high):
        return TournamentError("tournament_rating")
    is_late = tournament.kind == Tournament.Kind.SWISS and 2 * tournament.number > tournament.rounds
    return TournamentError("tournament_closed") if is_late else None


def rating_of(user: User, mode: str) -> float:
    """As the site shows it; 1000 for a newcomer."""
    shown = Rating.objects.filter(user=user, mode=mode).values_list("shown", flat=True).first()
    return NEWCOMER if shown is None else shown


def join(tournament_id: str, user: User) -> Entrant:
    """Enter, or go on after a pause; doing it again changes nothing. Raises TournamentError."""
    with transaction.atomic():
        tournament = lock([tournament_id]).get(tournament_id)
        if tournament is None:
            raise TournamentError("no_such_tournament")
        if not tournament.is_open:
            raise TournamentError("tournament_over")
        mine = Entrant.objects.filter(tournament=tournament, user=user).first()
        if mine is not None and mine.state == Entrant.State.ACTIVE:
            return mine
        if mine is None or mine.state == Entrant.State.WITHDRAWN:
            refused = refusal(tournament, user)
            if refused is not None:
                raise refused
            _refuse_crowd(tournament, user)
        if mine is None:
            mine = Entrant(
                tournament=tournament,
                user=user,
                name=user.username,
                kind=user.kind,
                rating=rating_of(user, tournament.mode),
            )
        mine.state, mine.absences, mine.free_at = Entrant.State.ACTIVE, 0, timezone.now()
        try:
            mine.save()
        except IntegrityError:  # the same player at the same time, without a lock on this database
            raise TournamentError("bad_tournament", _("Try again.")) from None
        touch(tournament.pk)
    return mine


def _refuse_crowd(tournament: Tournament, user: User) -> None:
    there = tournament.entrants.exclude(state=Entrant.State.WITHDRAWN)
    if there.count() >= MOST_PLAYERS:
        raise TournamentError("tournament_full")
    mine = Entrant.objects.filter(user=user, tournament__status__in=OPEN)
    if mine.exclude(state=Entrant.State.WITHDRAWN).count() >= MOST_ENTRIES:
        raise TournamentError("too_many_entries")


def of(tournament_id: str, user: User) -> Entrant:
    """The user's entry; raises TournamentError."""
    find(tournament_id)
    mine = Entrant.objects.filter(tournament_id=tournament_id, user=user).first()
    if mine is None:
        raise TournamentError("not_entered")
    return mine


def pause(tournament_id: str, user: User) -> Entrant | None:
    """No more pairings until the player joins again. A running match goes on."""
    return _change(tournament_id, user, Entrant.State.PAUSED)


def leave(tournament_id: str, user: User) -> Entrant | None:
    """Withdraw. Before the start the entry is deleted: None; later the results stay."""
    return _change(tournament_id, user, Entrant.State.WITHDRAWN)


def _change(tournament_id: str, user: User, state: Entrant.State) -> Entrant | None:
    with transaction.atomic():
        tournament = lock([tournament_id]).get(tournament_id)
        if tournament is None:
            raise TournamentError("no_such_tournament")
        mine = Entrant.objects.filter(tournament=tournament, user=user).first()
        if mine is None:
            raise TournamentError("not_entered")
        if not tournament.is_open:
            raise TournamentError("tournament_over")
        touch(tournament.pk)
        if state == Entrant.State.WITHDRAWN and tournament.status == Tournament.Status.PLANNED:
            mine.delete()
            return None
        if mine.state != Entrant.State.WITHDRAWN:
            mine.state = state
            mine.save(update_fields=["state"])
    return mine
