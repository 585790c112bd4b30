"""The history pages with a million matches in the database.

    python -m bench.history [matches]

Fills a throwaway SQLite (and PostgreSQL, when its programs are there) with generated rows, then
measures the database time of each page, for a player with an ordinary and one with a very long
history. The bar is 50 ms a page.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MATCHES = 1_000_000
PLAYERS = 5_000
HEAVY = 50_000
"""Matches of the most active player."""
BAR_MS = 50


def fill(matches: int) -> None:
    from django.db import connection, transaction
    from tqdm import tqdm

    from accounts.models import User
    from games.models import Match, Seat

    users = [
        User(username=f"player{i}", kind=User.Kind.REGISTERED, password="!") for i in range(PLAYERS)
    ]
    User.objects.bulk_create(users, batch_size=1000)
    ids = list(User.objects.order_by("pk").values_list("pk", flat=True))
    _fill_ratings(ids)
    names = dict(User.objects.values_list("pk", "username"))
    batch = 10_000
    with tqdm(total=matches, unit="match", disable=not sys.stderr.isatty()) as bar:
        for start in range(0, matches, batch):
            rows, seats = [], []
            for n in range(start, min(start + batch, matches)):
                pk = f"{n:012x}"
                mode = ("race", "battleship", "area-attack")[n % 3]
                ended = _time(n)
                rows.append(
                    Match(id=pk, mode=mode, rules_version=1, rated=True, source="queue",
                          status="over", reason="time", commitment="0" * 64, ended_at=ended,
                          duration_ms=60_000)
                )  # fmt: skip
                one = ids[0] if n % (matches // min(HEAVY, matches)) == 0 else ids[n * 7 % PLAYERS]
                other = ids[(n * 13 + 1) % PLAYERS]
                if one == other:
                    other = ids[(n * 13 + 2) % PLAYERS]
                for number, user in enumerate((one, other)):
                    seats.append(
                        Seat(match_id=pk, number=number, user_id=user, name=names[user],
                             kind="registered", rank=number + 1, mode=mode, ended_at=ended,
                             result="win" if number == n % 2 else "loss", rating_before=1000,
                             rating_after=1001)
                    )  # fmt: skip
            with transaction.atomic():
                Match.objects.bulk_create(rows, batch_size=500)
                Seat.objects.bulk_create(seats, batch_size=500)
            bar.update(len(rows))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _fill_ratings(ids: list[int]) -> None:
    from accounts.models import Rating

    Rating.objects.bulk_create(
        [
            Rating(user_id=pk, mode=mode, mu=25, sigma=4, shown=1000 + pk % 700, games=50)
            for pk in ids
            for mode in ("race", "battleship", "area-attack")
        ],
        batch_size=1000,
    )


def _time(n: int):
    from datetime import UTC, datetime, timedelta

    return datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=n)


def measure() -> bool:
    """Print the database time of every page; True when all are within the bar."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from accounts.models import User
    from games import selectors
    from games.selectors import HistoryFilter

    heavy, ordinary = User.objects.order_by("pk")[:2]
    deep = selectors.history(heavy.pk, HistoryFilter()).older
    pages = {
        "history, first page": lambda u: selectors.history(u.pk, HistoryFilter()),
        "history, next page": lambda u: selectors.history(u.pk, HistoryFilter(), deep),
        "history of one mode": lambda u: selectors.history(u.pk, HistoryFilter(mode="race")),
        "history, only losses": lambda u: selectors.history(u.pk, HistoryFilter(result="loss")),
        "history, one opponent": lambda u: selectors.history(
            u.pk, HistoryFilter(opponent="player77")
        ),
        "profile: record": lambda u: selectors.record(u.pk),
        "profile: head to head": lambda u: selectors.head_to_head(ordinary.pk, u.pk),
        "profile: ratings": lambda u: [selectors.place_of(r) for r in selectors.ratings_of(u.pk)],
        "leaderboard": lambda u: selectors.leaderboard("race"),
    }
    good = True
    print(f"  {'page':<26} {'ordinary player':>18} {'50,000 matches':>18}")
    for name, page in pages.items():
        figures = []
        for user in (ordinary, heavy):
            page(user)
            with CaptureQueriesContext(connection) as captured:
                page(user)
            ms = sum(float(query["time"]) for query in captured) * 1000
            figures.append(ms)
            good = good and ms < BAR_MS
        print(f"  {name:<26} {figures[0]:>15.1f} ms {figures[1]:>15.1f} ms")
    return good


def run_child(matches: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    started = time.monotonic()
    fill(matches)
    print(f"  {matches:,} matches in {time.monotonic() - started:.0f} s")
    print("  all below the bar of 50 ms" if measure() else "  NOT all below the bar of 50 ms")


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    if os.environ.get("BENCH_HISTORY_CHILD"):
        run_child(matches)
        return
    from tests.postgresql import binaries, throwaway_postgresql

    with tempfile.TemporaryDirectory() as folder:
        base = {**os.environ, "BENCH_HISTORY_CHILD": "1", "DATA_DIR": str(Path(folder) / "var"),
                "DJANGO_SETTINGS_MODULE": "minesite.settings"}  # fmt: skip
        command = [sys.executable, "-m", "bench.history", str(matches)]
        print("SQLite")
        subprocess.run(command, env=base, check=True)
        if (found := binaries()) is not None:
            print("PostgreSQL")
            with throwaway_postgresql(found) as url:
                subprocess.run(command, env={**base, "DATABASE_URL": url}, check=True)
        else:
            print("PostgreSQL: its programs are not here")


if __name__ == "__main__":
    main()
