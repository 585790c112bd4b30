"""Sums over the games of a player on one kind of board, kept game by game."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.statistics import bests
from games.statistics.models import Best, SoloGame, Tally

CHUNK = 1000


def add(tally: Tally, game: SoloGame) -> None:
    """Count one more game, if it counts."""
    if not game.counts:
        return
    tally.played += 1
    tally.streak = tally.streak + 1 if game.won else 0
    tally.best_streak = max(tally.best_streak, tally.streak)
    if game.won:
        tally.won += 1
        tally.won_ms += game.time_ms
    tally.all_ms += game.time_ms
    tally.bbbv_done += game.bbbv_done
    tally.reveals += game.reveals
    tally.flags += game.flags
    tally.chords += game.chords


def note(game: SoloGame) -> None:
    """In the transaction that stores the game and holds the player's row."""
    if not game.counts:
        return
    tally, _made = Tally.objects.get_or_create(
        user_id=game.user_id, mode=game.mode, board=game.board, no_guess=game.no_guess
    )
    add(tally, game)
    tally.save()


def rebuild(user: User, mode: str, board: str, no_guess: bool, now: datetime) -> None:
    """Count this player's games on this kind of board again, from the first."""
    key = {"user_id": user.pk, "mode": mode, "board": board, "no_guess": no_guess}
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        games = SoloGame.objects.filter(**key).order_by("ended_at", "match_id")
        tally = Tally(**key)
        best = bests.of(_counted(games.iterator(CHUNK), tally), user.board, now)
        Tally.objects.filter(**key).delete()
        Best.objects.filter(**key).delete()
        if tally.played:
            tally.save()
        Best.objects.bulk_create(best)


def _counted(games: Iterable[SoloGame], tally: Tally) -> Iterable[SoloGame]:
    """The games, each after it was added to the tally."""
    for game in games:
        add(tally, game)
        yield game
