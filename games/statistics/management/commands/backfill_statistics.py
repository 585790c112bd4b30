"""`manage.py backfill_statistics`: statistics of matches from before there were any."""

from __future__ import annotations

import time
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from games.engine.registry import modes
from games.models import Match
from games.statistics import accuracy, recording, tallies
from games.statistics.models import Awaiting, SeatAccuracy, SoloGame

WIDTH: Final = 40
TOGETHER: Final = 200


class Command(BaseCommand):
    help = (
        "Stores the figures of solo games that have none yet, counts all sums and best results "
        "again, and has matches analysed that were not. Can be stopped and repeated at any time, "
        "also while the site runs. Example: manage.py backfill_statistics. Exit code 0: done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--no-analysis",
            action="store_true",
            help="only the figures: an analysis takes seconds of the worker's time per match",
        )

    def handle(self, *args: Any, no_analysis: bool, **options: Any) -> None:
        self._begin = time.monotonic()
        self.stdout.write(f"{self._figures()} games stored.")
        self.stdout.write(f"{self._count()} players' boards counted.")
        if not no_analysis:
            self.stdout.write(f"{self._analyses()} matches will be analysed by the worker.")

    def _figures(self) -> int:
        names = [mode.name for mode in modes() if mode.solo_figures is not None]
        known = SoloGame.objects.filter(pk=OuterRef("pk"))
        missing = Match.objects.filter(
            ~Exists(known), mode__in=names, status=Match.Status.OVER, seats__user__isnull=False
        )
        stored = 0
        for match in self._each("figures", missing):
            with transaction.atomic():
                users = [seat.user_id for seat in match.seats.all()]
                list(User.objects.select_for_update(no_key=True).filter(pk__in=users))
                stored += recording.insert(match) is not None
        return stored

    def _count(self) -> int:
        keys = SoloGame.objects.values_list("user_id", "mode", "board", "no_guess").distinct()
        found = list(keys.order_by("user_id", "mode", "board", "no_guess"))
        for done, (user_id, mode, board, no_guess) in enumerate(found, 1):
            user = User.objects.filter(pk=user_id).first()
            if user is not None:
                tallies.rebuild(user, mode, board, no_guess, timezone.now())
            self._progress("counting", done, len(found))
        return len(found)

    def _analyses(self) -> int:
        names = [mode.name for mode in modes() if mode.judge is not None]
        done = SeatAccuracy.objects.filter(match=OuterRef("pk"))
        waiting = Awaiting.objects.filter(pk=OuterRef("pk"))
        missing = Match.objects.filter(
            ~Exists(done), ~Exists(waiting), mode__in=names, status=Match.Status.OVER,
            seats__user__isnull=False,
        )  # fmt: skip
        asked = [
            match for match in self._each("matches", missing) if accuracy.is_to_be_analysed(match)
        ]
        accuracy.await_analysis(asked)
        return len(asked)

    def _each(self, what: str, matches: QuerySet[Match]) -> Any:
        """These matches, the earliest first, a few in memory at a time."""
        ids = list(matches.order_by("ended_at", "pk").values_list("pk", flat=True).distinct())
        for begin in range(0, len(ids), TOGETHER):
            part = ids[begin : begin + TOGETHER]
            rows = Match.objects.defer("log").prefetch_related("seats__user").in_bulk(part)
            for number, match_id in enumerate(part, begin + 1):
                if match_id in rows:
                    yield rows[match_id]
                self._progress(what, number, len(ids))

    def _progress(self, what: str, done: int, of: int) -> None:
        """A bar on a terminal, nothing in a file."""
        if not self.stderr.isatty() or not (done == of or done % 10 == 0):
            return
        full = WIDTH * done // of
        left = (time.monotonic() - self._begin) / done * (of - done)
        bar = "#" * full + "." * (WIDTH - full)
        line = f"\r{what:9} [{bar}] {done}/{of}, {left:.0f} s left   "
        self.stderr.write(line, ending="\n" if done == of else "")
        self.stderr.flush()
