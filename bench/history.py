"""The history pages with a million matches in the database.

    python -m bench.history [matches] [sqlite|postgresql]

Fills a throwaway SQLite (and PostgreSQL, when its programs are there) with generated rows, then
measures every page with every filter, first and deep, for three players: an ordinary one, one who
plays all day, and a house bot that sits in every fifth match. A figure is the database time of all
queries of a page, the least of seven rounds (others on the machine can only add to it).
The bar is 50 ms a page.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MATCHES = 1_000_000
BAR_MS = 50
ROUNDS = 7
# A server of a few GB; it is thrown away, so nothing has to survive a power cut.
ROOMY = {"shared_buffers": "1GB", "maintenance_work_mem": "512MB", "max_wal_size": "8GB",
         "synchronous_commit": "off", "full_page_writes": "off"}  # fmt: skip


def pages(player: Any, visitor: Any, guest: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every page that shows what this player has played, as it is looked at by the visitor."""
    from games import selectors
    from games.selectors import HistoryFilter

    opponents = {
        "": "",
        "the visitor": visitor.username,
        "never met": "Nobody77",
        "a guest": guest,
    }
    filters = itertools.product(("", "race"), ("", "loss", "draw"), opponents.items())
    for mode, result, (label, opponent) in filters:
        wanted = HistoryFilter(mode, result, opponent)
        name = ", ".join(part for part in (mode, result, label and f"against {label}") if part)
        yield f"history: {name or 'all'}", lambda w=wanted: selectors.history(player.pk, w)
        deep = middle(player.pk, wanted)
        if deep is not None:
            yield (
                f"history: {name or 'all'}, deep",
                lambda w=wanted, b=deep: selectors.history(player.pk, w, b),
            )

    def profile() -> None:
        selectors.named(player.username.upper())
        selectors.records(player.pk, visitor.pk)
        modes = [rating.mode for rating in selectors.placed_ratings_of(player.pk)]
        selectors.rating_histories(player.pk, modes)
        selectors.history(player.pk, HistoryFilter())

    yield "profile, all of it", profile
    yield "leaderboard", lambda: selectors.leaderboard("race")
    yield "leaderboard of bots", lambda: selectors.leaderboard("race", "bot")


def middle(user_id: int, wanted: Any) -> int | None:
    """The cursor of a page half-way down that history; None when it has but one page."""
    from games.models import Seat

    seats = Seat.objects.filter(user_id=user_id)
    if wanted.mode:
        seats = seats.filter(mode=wanted.mode)
    if wanted.result:
        seats = seats.filter(result=wanted.result)
    if wanted.opponent:
        seats = seats.filter(meetings__name=wanted.opponent.lower())
    count = seats.count()
    return seats.order_by("-ended_at", "-pk")[count // 2].pk if count > 50 else None


def database_ms(page: Callable[[], Any]) -> float:
    """The time in the database for what this page asks: to run each query and fetch its rows."""
    from django.db import connection

    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        page()
    rounds = []
    for _ in range(ROUNDS):
        with connection.cursor() as cursor:
            started = time.perf_counter()
            for sql, params in asked:
                cursor.execute(sql, params)
                cursor.fetchall()
            rounds.append((time.perf_counter() - started) * 1000)
    return min(rounds)


def measure() -> bool:
    """Print the time of every page; True when all are within the bar."""
    from accounts.models import User
    from bench.history_rows import GUEST, HEAVY, HOUSE, ORDINARY

    people = {name: User.objects.get(username=name) for name in (ORDINARY, HEAVY, HOUSE)}
    visitors = {ORDINARY: HEAVY, HEAVY: HOUSE, HOUSE: HEAVY}
    table: dict[str, dict[str, float]] = {}
    for who, user in people.items():
        for name, page in pages(user, people[visitors[who]], GUEST):
            table.setdefault(name, {})[who] = database_ms(page)
    print(f"  {'ms':<52}" + "".join(f"{who:>12}" for who in people))
    for name, figures in table.items():
        cells = (f"{figures[who]:>12.1f}" if who in figures else f"{'':>12}" for who in people)
        print(f"  {name:<52}" + "".join(cells))
    worst = max(max(figures.values()) for figures in table.values())
    print(f"  the slowest of {len(table)} pages: {worst:.1f} ms; the bar: {BAR_MS} ms")
    return worst < BAR_MS


def run_child(matches: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from bench.history_rows import fill

    call_command("migrate", verbosity=0)
    started = time.monotonic()
    fill(matches)
    print(f"  {matches:,} matches filled in {time.monotonic() - started:.0f} s", flush=True)
    if not measure():
        sys.exit("  NOT all pages are below the bar")


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
        only, slow = sys.argv[2:], 0
        if only != ["postgresql"]:
            print("SQLite", flush=True)
            slow |= subprocess.run(command, env=base, check=False).returncode
        if only == ["sqlite"]:
            pass
        elif (found := binaries()) is not None:
            print("PostgreSQL", flush=True)
            with throwaway_postgresql(found, **ROOMY) as url:
                more = {**base, "DATABASE_URL": url}
                slow |= subprocess.run(command, env=more, check=False).returncode
        else:
            print("PostgreSQL: its programs are not here")
    sys.exit(slow)


if __name__ == "__main__":
    main()
