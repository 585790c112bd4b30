"""Solo arenas: everybody plays the same sealed boards, each once; the best attempt counts.

A board's deal is made when the window opens and stays secret until it closes; its seal, a hash of a
salt and the deal, is shown from the start, and the salt at the end.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Sequence
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.live.setup import new_id
from games.models import Match
from games.replay import replay
from lobby import creation, maintenance, starts
from lobby.dealing import pool
from lobby.dealing.dealer import NoBoard
from lobby.plans import Plan, seat_for
from lobby.players import Player
from lobby.tournaments import results
from lobby.tournaments.database import in_thread
from lobby.tournaments.errors import TournamentError
from lobby.tournaments.models import Attempt, Entrant, SoloBoard, Tournament

SOURCE: Final = "sealed"
logger = logging.getLogger(__name__)


def seal_of(salt: str, deal: str) -> str:
    return hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(deal)).hexdigest()


async def deal(tournament: Tournament) -> bool:
    """Make the boards that are missing; False: they can't be made now. Of two workers, each board
    is one's."""
    numbers = await in_thread(missing)(tournament)
    if not numbers:
        return True
    spec = pool.spec_for(tournament.mode, tournament.options)
    if spec is None:
        logger.error("tournament %s has options without a board", tournament.pk)
        return False
    try:
        deals = await pool.take(spec, len(numbers))
    except NoBoard:
        logger.warning("no boards for tournament %s yet", tournament.pk)
        return False
    await _store(tournament, numbers, [one.hex() for one in deals])
    return True


def missing(tournament: Tournament) -> list[int]:
    there = set(tournament.solo_boards.values_list("number", flat=True))
    return [number for number in range(1, tournament.boards + 1) if number not in there]


@in_thread
def _store(tournament: Tournament, numbers: Sequence[int], deals: Sequence[str]) -> None:
    boards = []
    for number, made in zip(numbers, deals, strict=True):
        salt = secrets.token_hex(32)
        boards.append(
            SoloBoard(
                tournament=tournament, number=number, deal=made, salt=salt,
                seal=seal_of(salt, made),
            )
        )  # fmt: skip
    SoloBoard.objects.bulk_create(boards, ignore_conflicts=True)
    results.touch(tournament.pk)


async def play(tournament: Tournament, player: Player, number: int, address: str = "") -> str:
    """Begin this board, or go on with it; returns the match. Raises LobbyError."""
    await maintenance.refuse_when_closed()
    attempt, board = await _attempt(tournament, player, number, new=False)
    if attempt is None:
        await starts.count(player, address)
        attempt, board = await _attempt(tournament, player, number, new=True)
    assert attempt is not None
    plan = Plan(
        match=attempt.match,
        mode=tournament.mode,
        seats=(seat_for(player),),
        options=dict(tournament.options),
        rated=False,
        source=SOURCE,
    )
    # After a crash between the two steps the player presses again: there is one match of this id.
    if not attempt.is_over and not await _has_begun(attempt.match):
        await creation.begin(plan, bytes.fromhex(board.deal))
    return attempt.match


async def _has_begun(match_id: str) -> bool:
    """A running match without a log has only been stored, by a process that died."""
    return await creation.has_log(match_id) or await _is_over(match_id)


@in_thread
def _is_over(match_id: str) -> bool:
    return Match.objects.filter(pk=match_id).exclude(status=Match.Status.LIVE).exists()


@in_thread
def _attempt(
    tournament: Tournament, player: Player, number: int, new: bool
) -> tuple[Attempt | None, SoloBoard]:
    end = tournament.ends_at
    if tournament.status != Tournament.Status.RUNNING or (end and timezone.now() >= end):
        raise TournamentError("tournament_over")
    board = tournament.solo_boards.filter(number=number).first()
    entrant = tournament.entrants.filter(user_id=player.user_id or 0).first()
    if entrant is None or entrant.state == Entrant.State.WITHDRAWN:
        raise TournamentError("not_entered", _("Join the tournament first."))
    if board is None:
        raise TournamentError("bad_tournament", _("This board isn’t ready yet. Try again soon."))
    if new:
        try:
            with transaction.atomic():
                Attempt.objects.create(board=board, entrant=entrant, match=new_id())
        except IntegrityError:
            pass  # the other one of two clicks
    return Attempt.objects.filter(board=board, entrant=entrant).first(), board


def tournaments_of(matches: Sequence[Match]) -> set[str]:
    """The ids of the solo arenas that these matches are attempts in."""
    ids = [match.pk for match in matches if match.source == SOURCE]
    if not ids:
        return set()
    rows = Attempt.objects.filter(match__in=ids)
    return set(rows.values_list("board__tournament_id", flat=True))


def note(matches: Sequence[Match]) -> None:
    """Store finished attempts, in the transaction of the archive."""
    found = {match.pk: match for match in matches if match.source == SOURCE}
    if not found:
        return
    results.lock(tournaments_of(matches))
    rows = Attempt.objects.filter(match__in=found, is_over=False).select_related("board")
    for row in rows:
        match = found[row.match]
        row.is_over, row.ended_at = True, match.ended_at
        if match.deal != row.board.deal:
            logger.error("attempt %s was not played on its board", row.match)
        elif match.status == Match.Status.OVER:
            truth = replay(match).state.view(None)["truth"]
            row.cleared, row.aided = bool(truth["won"]), bool(truth["aided"])
            row.time_ms = truth["time_ms"]
            row.speed = speed_of(truth)
        row.save()
        results.touch(row.board.tournament_id)


def speed_of(truth: dict[str, Any]) -> int | None:
    """Thousandths of 3BV per second; None for a mode that doesn't tell the 3BV."""
    if not truth.get("bbbv") or not truth.get("time_ms"):
        return None
    return int(truth["bbbv"] * 1_000_000 // truth["time_ms"])


def table(
    tournament: Tournament, entrants: Sequence[Entrant], attempts: Sequence[Attempt]
) -> list[dict[str, Any]]:
    """Rows by rank: the best attempt that cleared its board in the window, without hints."""
    end = tournament.ends_at
    by_speed = tournament.metric == Tournament.Metric.SPEED
    best: dict[int, Attempt] = {}
    count: dict[int, int] = {}
    for one in attempts:
        count[one.entrant_id] = count.get(one.entrant_id, 0) + one.is_over
        late = one.ended_at is not None and end is not None and one.ended_at > end
        if one.is_over and one.cleared and not one.aided and not late:
            before = best.get(one.entrant_id)
            if before is None or _order(one, by_speed) < _order(before, by_speed):
                best[one.entrant_id] = one
    rows: list[dict[str, Any]] = []
    ranked = sorted(
        entrants,
        key=lambda each: (
            (0, *_order(best[each.pk], by_speed)) if each.pk in best else (1, 0, 0),
            each.pk,
        ),
    )
    for place, entrant in enumerate(ranked, 1):
        top = best.get(entrant.pk)
        value = None if top is None else (top.speed if by_speed else top.time_ms)
        same = bool(rows) and rows[-1]["value"] == value
        rows.append(
            {
                "entrant": entrant.pk,
                "rank": rows[-1]["rank"] if same else place,
                "value": value,
                "games": count.get(entrant.pk, 0),
                "board": None if top is None else top.board.number,
            }
        )
    return rows


def _order(one: Attempt, by_speed: bool) -> tuple[int, int]:
    return (-(one.speed or 0) if by_speed else one.time_ms or 0, one.pk)
