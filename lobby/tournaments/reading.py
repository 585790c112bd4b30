"""Tournaments as lists and pages show them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mode_cards import title_of
from games.option_form import option_texts
from lobby.tournaments.models import Attempt, Entrant, Pairing, Tournament
from lobby.tournaments.schedule import NAMES

MOST_LISTED: Final = 60
MOST_OVER: Final = 20
Status = Tournament.Status


def title(tournament: Tournament) -> str:
    """The name; of those that the schedule creates, in the reader's language with the mode."""
    series = (tournament.series or "").partition(":")[0]
    if series not in NAMES:
        return tournament.name
    return _("{mode}: {name}").format(mode=title_of(tournament.mode), name=_(NAMES[series]))


def visible(user_id: int | None) -> QuerySet[Tournament]:
    """The public ones, and those that this user organises or has joined."""
    rows = Tournament.objects.all()
    if user_id is None:
        return rows.filter(is_private=False)
    joined = Entrant.objects.filter(user_id=user_id).values("tournament_id")
    return rows.filter(Q(is_private=False) | Q(organiser_id=user_id) | Q(pk__in=joined))


def listed(user_id: int | None, *statuses: str) -> list[Tournament]:
    """Those of these states with the number of players as `players`: open ones as they start, the
    others by their ends."""
    rows = visible(user_id).filter(status__in=statuses).select_related("organiser")
    there = Count("entrants", filter=~Q(entrants__state=Entrant.State.WITHDRAWN))
    counted = rows.annotate(players=there)
    if Status.OVER in statuses:
        return list(counted.order_by("-ended_at")[:MOST_OVER])
    return list(counted.order_by("starts_at", "pk")[:MOST_LISTED])


def length_text(tournament: Tournament) -> str:
    if tournament.kind == Tournament.Kind.SWISS:
        return ngettext("{n} round", "{n} rounds", tournament.rounds).format(n=tournament.rounds)
    return _("{n} min").format(n=tournament.minutes)


def conditions(tournament: Tournament) -> list[str]:
    """Who may enter, in words."""
    words = []
    low, high = tournament.min_rating, tournament.max_rating
    if low is not None and high is not None:
        words.append(_("rating {low} to {high}").format(low=low, high=high))
    elif low is not None:
        words.append(_("rating from {low}").format(low=low))
    elif high is not None:
        words.append(_("rating up to {high}").format(high=high))
    if tournament.min_days:
        words.append(
            ngettext(
                "accounts of at least {n} day", "accounts of at least {n} days",
                tournament.min_days,
            ).format(n=tournament.min_days)
        )  # fmt: skip
    words.append(_("bots welcome") if tournament.bots else _("no bots"))
    return words


def facts(tournament: Tournament) -> dict[str, Any]:
    """For a row or a heading."""
    return {
        "title": title(tournament),
        "mode_title": title_of(tournament.mode),
        "length": length_text(tournament),
        "options": option_texts(tournament.mode, tournament.options),
        "conditions": conditions(tournament),
    }


def of_match(match_id: str, user_id: int | None) -> str | None:
    """The tournament that a match belongs to, if this visitor may see it in lists: a private one's
    id is its only secret."""
    found = Pairing.objects.filter(match=match_id).values_list("tournament_id", flat=True).first()
    if found is None:
        attempts = Attempt.objects.filter(match=match_id)
        found = attempts.values_list("board__tournament_id", flat=True).first()
    return found if found and visible(user_id).filter(pk=found).exists() else None
