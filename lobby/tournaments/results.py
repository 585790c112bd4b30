"""Stores the results of pairings, together with those of their matches.

A receiver calls `note` inside the transaction that archives a match, so a result is stored with it
or not at all, and once. `recount` derives the same again from the archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from games.live.setup import new_id
from games.models import Match, Seat
from lobby.tournaments.games import Result
from lobby.tournaments.models import Entrant, Pairing, Tournament

MOST_ABSENCES: Final = 2
"""No-shows in a row after which a player is paused."""
MOST_TRIES: Final = 2
"""A match of a Swiss tournament that the site aborted is played again so often; then it's a
draw."""


class Verdict(NamedTuple):
    """What a finished match says about its pairing."""

    result: Result
    absent: frozenset[int] = frozenset()
    """Seats of players who didn't show up."""
    is_void: bool = False
    """The site ended it: it is nobody's fault."""


def verdict(match: Match, seats: Sequence[Seat]) -> Verdict:
    """The result for seats 0 and 1."""
    if match.status != Match.Status.OVER:
        absent = frozenset(seat.number for seat in seats if seat.absent)
        forfeits = {
            frozenset({0}): Result.FORFEIT_TWO,
            frozenset({1}): Result.FORFEIT_ONE,
            frozenset({0, 1}): Result.FORFEIT_BOTH,
        }
        result = forfeits.get(absent, Result.NONE)
        return Verdict(result, absent, is_void=result is Result.NONE)
    idle = frozenset(
        seat.number for seat in seats if seat.moves == 0 and seat.result == Seat.Result.LOSS
    )
    won = {seat.number for seat in seats if seat.result == Seat.Result.WIN}
    if won == {0}:
        return Verdict(Result.ONE, idle)
    return Verdict(Result.TWO if won == {1} else Result.DRAW, idle)


def tournaments_of(matches: Iterable[Match]) -> set[str]:
    """The ids of the tournaments that these matches are pairings of."""
    ids = [match.pk for match in matches if match.source == Match.Source.TOURNAMENT]
    if not ids:
        return set()
    return set(Pairing.objects.filter(match__in=ids).values_list("tournament_id", flat=True))


def note(matches: Iterable[Match]) -> None:
    """Settle the pairings of these finished matches, which have their seats with them."""
    found = {match.pk: match for match in matches if match.source == Match.Source.TOURNAMENT}
    if not found:
        return
    of = Pairing.objects.filter(match__in=found)
    locked = lock(of.values_list("tournament_id", flat=True))
    waiting = of.exclude(state__in=(Pairing.State.OVER, Pairing.State.VOID))
    for pairing in waiting.select_related("one", "two"):
        match = found[pairing.match or ""]
        settle(locked[pairing.tournament_id], pairing, match, list(match.seats.all()))


def lock(ids: Iterable[str]) -> dict[str, Tournament]:
    """These tournaments, in the order of their ids, until the transaction ends."""
    rows = Tournament.objects.select_for_update().filter(pk__in=set(ids)).order_by("pk")
    return {row.pk: row for row in rows}


def settle(tournament: Tournament, pairing: Pairing, match: Match, seats: Sequence[Seat]) -> None:
    """Store what this match says; the tournament is locked, the pairing not settled yet."""
    said = verdict(match, seats)
    ended = match.ended_at or timezone.now()
    is_swiss = tournament.kind == Tournament.Kind.SWISS
    if said.is_void and is_swiss and pairing.tries + 1 < MOST_TRIES:
        _play_again(pairing)
        touch(tournament.pk)
        return
    if said.is_void and is_swiss:
        said = Verdict(Result.DRAW)
    counts = not said.is_void and _is_in_time(tournament, ended)
    pairing.state = Pairing.State.OVER if counts else Pairing.State.VOID
    pairing.result = said.result
    pairing.ended_at = ended
    pairing.save(update_fields=["state", "result", "ended_at"])
    for number, entrant in enumerate((pairing.one, pairing.two)):
        if entrant is not None:
            release(entrant, pairing.match or "", number in said.absent, ended)
    touch(tournament.pk)


def _is_in_time(tournament: Tournament, ended: datetime) -> bool:
    end = tournament.ends_at
    return end is None or ended <= end


def _play_again(pairing: Pairing) -> None:
    pairing.match, pairing.state = new_id(), Pairing.State.PLANNED
    pairing.tries += 1
    pairing.created_at = timezone.now()
    pairing.save(update_fields=["match", "state", "tries", "created_at"])
    sides = [side for side in (pairing.one_id, pairing.two_id) if side]
    Entrant.objects.filter(pk__in=sides).update(match=pairing.match)


def release(entrant: Entrant, match: str, was_absent: bool, at: datetime) -> None:
    """The player is free again; paused after a second no-show in a row."""
    entrant.absences = entrant.absences + 1 if was_absent else 0
    if entrant.absences >= MOST_ABSENCES and entrant.state == Entrant.State.ACTIVE:
        entrant.state = Entrant.State.PAUSED
    entrant.free_at = at
    entrant.save(update_fields=["absences", "state", "free_at"])
    Entrant.objects.filter(pk=entrant.pk, match=match).update(match="")


def cancel(pairing: Pairing) -> None:
    """A pairing that never became a match: its players are free, nothing counts."""
    Pairing.objects.filter(pk=pairing.pk).update(state=Pairing.State.VOID, ended_at=timezone.now())
    sides = [side for side in (pairing.one_id, pairing.two_id) if side]
    Entrant.objects.filter(pk__in=sides, match=pairing.match or "").update(match="")
    touch(pairing.tournament_id)


def touch(tournament_id: str) -> None:
    """Have the pages told."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)


def catch_up(tournament_id: str) -> int:
    """Settle pairings whose match was closed without a word, because Redis lost it."""
    going = Pairing.objects.filter(
        tournament_id=tournament_id, state__in=(Pairing.State.PLANNED, Pairing.State.OPEN)
    )
    ids = [match for match in going.values_list("match", flat=True) if match]
    done = Match.objects.filter(pk__in=ids).exclude(status=Match.Status.LIVE)
    matches = list(done.defer("log").prefetch_related("seats"))
    if matches:
        with transaction.atomic():
            note(matches)
    return len(matches)


def recount(tournament: Tournament) -> Mapping[int, tuple[str, str]]:
    """State and result of each finished pairing as the archive has them, where they differ from
    what is stored: none, unless a row was changed by hand."""
    wrong: dict[int, tuple[str, str]] = {}
    done = tournament.pairings.filter(
        state__in=(Pairing.State.OVER, Pairing.State.VOID), match__isnull=False
    )
    ids = [match for match in done.values_list("match", flat=True) if match]
    archived = Match.objects.filter(pk__in=ids).defer("log").prefetch_related("seats")
    by_id = {match.pk: match for match in archived}
    for pairing in done:
        match = by_id.get(pairing.match or "")
        if match is None:
            continue  # it never began
        said = verdict(match, list(match.seats.all()))
        if said.is_void and tournament.kind == Tournament.Kind.SWISS:
            said = Verdict(Result.DRAW)
        counts = not said.is_void and _is_in_time(tournament, match.ended_at or timezone.now())
        state = Pairing.State.OVER if counts else Pairing.State.VOID
        if (pairing.state, pairing.result) != (state, said.result):
            wrong[pairing.pk] = (str(state), str(said.result))
    return wrong
