"""Every public page of a site that has seen 200,000 matches: CPU time and queries of each.

    python -m bench.pages [matches] [sqlite|postgresql] [--held]

Fills a throwaway SQLite (and PostgreSQL, when its programs are there), then asks the site's own
ASGI handler for each page, as a visitor and signed in. A figure is the CPU time of the whole
process for one answer, the least of five rounds; the database's own CPU is in it with SQLite alone.
The bars are 30 ms and 8 queries.

Then eight visitors ask for one page without a pause, and a timer of the event loop fires every
2 ms: how much CPU time the process used from then on until the loop came round is how long views
held it (99 % of the times). It is told with Django's thread per request, and with the site's own
threads. Counted in CPU time, it says the same on a busy machine. The bar is 5 ms. `--held` measures
this alone.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MATCHES = 200_000
ROUNDS = 5
BAR_MS, BAR_QUERIES = 30.0, 8
BAR_HELD_MS = 5.0
VISITORS = 8
HELD_SECONDS, TICK = 3.0, 0.002


def pages(match: str) -> list[str]:
    """Addresses; those of the last three players are for an ordinary one, one who plays all day,
    and the house bot of every fifth match."""
    from bench.history_rows import HEAVY, HOUSE, ORDINARY

    people = (ORDINARY, HEAVY, HOUSE)
    return [
        "/", "/watch/", "/lobby/now.json", "/daily/", "/daily/now.json", "/play/race/",
        "/play/minewars/", "/play/classic/", "/learn/", "/learn/race/", "/privacy/",
        "/accounts/login/", "/accounts/signup/",
        "/leaderboard/race/", "/leaderboard/race/?who=bots",
        f"/match/{match}/", f"/match/{match}/replay.json", f"/match/{match}/analysis.json",
        f"/match/{match}/result.json", f"/match/{match}/log.ndjson",
        "/history/", "/history/?mode=race&result=loss", f"/history/?opponent={HOUSE}",
        *(f"/@{name}/" for name in people), f"/@{HEAVY}/?mode=race&opponent={HOUSE}",
        "/api/v1/modes", f"/api/v1/matches/{match}", "/api/v1/leaderboards/race",
        *(f"/api/v1/players/{name}" for name in people), f"/api/v1/players/{HEAVY}/matches",
        "/metrics", "/manifest.webmanifest",
    ]  # fmt: skip


def finished_match() -> str:
    """A real match among the generated rows, with everything that is computed of it."""
    import msgspec

    from games import analysis, replay_data
    from games.analysing import results
    from games.analysing.body import Body
    from games.models import Match
    from tests.analysing.conftest import finished

    match = finished("area-attack", {"size": 40})
    log = bytes(Match.objects.get(pk=match).log or b"")
    for part, compute in (("all", replay_data.compute), ("analysis", analysis.compute)):
        raw = compute(msgspec.msgpack.encode([part, log]))
        results.store(match, part, msgspec.msgpack.decode(raw, type=Body))
    return match


@contextmanager
def counted() -> Iterator[list[str]]:
    """The queries of all threads."""
    from django.db.backends.utils import CursorWrapper

    asked: list[str] = []
    execute = CursorWrapper.execute

    def noting(self: Any, sql: Any, params: Any = None) -> Any:
        asked.append(str(sql))
        return execute(self, sql, params)

    CursorWrapper.execute = noting
    try:
        yield asked
    finally:
        CursorWrapper.execute = execute


async def measure(match: str) -> bool:
    from django.test import AsyncClient

    from accounts.models import User
    from bench.history_rows import HEAVY

    clients = {"visitor": AsyncClient(), "signed in": AsyncClient()}
    user = await User.objects.aget(username=HEAVY)
    await clients["signed in"].aforce_login(user)
    print(f"  {'':<44}" + "".join(f"{who + ', ms':>16}{'queries':>9}" for who in clients))
    missed = []
    for page in pages(match):
        cells = ""
        for who, client in clients.items():
            ms, queries, status = await one(client, page)
            if status == 302:
                cells += f"{'–':>16}{'':>9}"
                continue
            assert status < 400, f"{page}: {status}"
            cells += f"{ms:>16.1f}{queries:>9}"
            if ms > BAR_MS or queries > BAR_QUERIES:
                missed.append(f"{page} ({who}): {ms:.1f} ms, {queries} queries")
        print(f"  {page.replace(match, '<id>'):<44}{cells}", flush=True)
    print(f"  the bars: {BAR_MS:g} ms of CPU, {BAR_QUERIES} queries", end="")
    print("\n  missed: " + "\n  missed: ".join(missed) if missed else "; all pages meet them")
    return not missed


async def one(client: Any, page: str) -> tuple[float, int, int]:
    """The least CPU time in ms of some rounds, the queries of the last, and the status."""
    least, asked = float("inf"), 0
    for _ in range(ROUNDS):
        with counted() as queries:
            begin = time.process_time()
            answer = await client.get(page, headers={"accept-encoding": "gzip"})
            least = min(least, time.process_time() - begin)
        asked = len(
            [sql for sql in queries if not sql.startswith(("BEGIN", "SAVEPOINT", "RELEASE"))]
        )
        if os.environ.get("SHOW_QUERIES") and page.startswith(os.environ["SHOW_QUERIES"]):
            print("\n".join(f"    {sql[:230]}" for sql in queries), flush=True)
            os.environ.pop("SHOW_QUERIES")
    return 1000 * least, asked, answer.status_code


async def ask(application: Any, session: str, page: str) -> int:
    """One request without a client's own work; returns the status."""
    path, _, query = page.partition("?")
    headers = {"host": "testserver", "cookie": f"sessionid={session}", "accept-encoding": "gzip"}
    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(),
             "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
             "client": ("127.0.0.1", 1), "asgi": {"version": "3.0"}}  # fmt: skip
    messages = [{"type": "http.request", "body": b"", "more_body": False}]
    status = 0

    async def receive() -> Any:
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    await application(scope, receive, send)
    return status


async def held(application: Any, session: str, page: str) -> float:
    """Milliseconds of the process's CPU that views held the event loop, 99 % of the times."""
    took: list[float] = []
    end = time.process_time() + HELD_SECONDS

    async def visit() -> None:
        while time.process_time() < end:
            assert await ask(application, session, page) == 200

    async with asyncio.TaskGroup() as visitors:
        for _ in range(VISITORS):
            visitors.create_task(visit())
        while time.process_time() < end:
            begin = time.process_time()
            await asyncio.sleep(TICK)
            took.append(1000 * max(0.0, time.process_time() - begin - TICK))
    return sorted(took)[int(0.99 * len(took))]


async def measure_held(match: str) -> bool:
    from django.core.asgi import get_asgi_application
    from django.test import AsyncClient

    from accounts.models import User
    from bench.history_rows import HEAVY
    from minesite.view_threads import TURN, in_view_threads

    signed_in = AsyncClient()
    await signed_in.aforce_login(await User.objects.aget(username=HEAVY))
    session = signed_in.cookies["sessionid"].value
    http = get_asgi_application()
    ours = in_view_threads(http)
    print(f"  {'the loop is held for, ms':<36}{'a thread each':>16}{'our threads':>14}")
    worst = 0.0
    for page in ("/watch/", "/history/", f"/@{HEAVY}/", "/leaderboard/race/", f"/match/{match}/",
                 f"/match/{match}/replay.json"):  # fmt: skip
        sys.setswitchinterval(0.005)
        before = await held(http, session, page)
        sys.setswitchinterval(TURN)
        after = await held(ours, session, page)
        worst = max(worst, after)
        print(f"  {page.replace(match, '<id>'):<36}{before:>16.1f}{after:>14.1f}", flush=True)
    print(f"  the bar: {BAR_HELD_MS:g} ms")
    return worst <= BAR_HELD_MS


def run_child(matches: int) -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from bench.history_rows import fill
    from tests.redis_server import redis_server

    settings.ALLOWED_HOSTS = ["testserver"]
    settings.API_REQUESTS_PER_MINUTE = 10**6
    with redis_server(settings.REDIS_URL, settings.DATA_DIR / "redis"):
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        fill(matches)
        match = finished_match()
        print(f"  {matches:,} matches", flush=True)
        if not asyncio.run(measured(match)):
            sys.exit("  NOT all pages meet the bars")


async def measured(match: str) -> bool:
    from games import redis
    from games.live import host
    from lobby import hub, visitors

    try:
        fast = "--held" in sys.argv or await measure(match)
        return await measure_held(match) and fast
    finally:
        await visitors.close()
        await host.close()
        await hub.close()
        await redis.close()


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    if os.environ.get("BENCH_PAGES_CHILD"):
        run_child(matches)
        return
    from bench.history import ROOMY
    from tests.postgresql import binaries, throwaway_postgresql

    only, missed = [word for word in sys.argv[2:] if word != "--held"], 0
    with tempfile.TemporaryDirectory() as folder:
        base = {**os.environ, "BENCH_PAGES_CHILD": "1", "LOG_LEVEL": "ERROR",
                "DJANGO_SETTINGS_MODULE": "minesite.settings"}  # fmt: skip
        held_only = ["--held"] if "--held" in sys.argv else []
        command = [sys.executable, "-m", "bench.pages", str(matches), *held_only]
        if only != ["postgresql"]:
            print("SQLite", flush=True)
            env = {**base, "DATA_DIR": str(Path(folder) / "sqlite")}
            missed |= subprocess.run(command, env=env, check=False).returncode
        if only == ["sqlite"]:
            pass
        elif (found := binaries()) is not None:
            print("PostgreSQL", flush=True)
            with throwaway_postgresql(found, **ROOMY) as url:
                env = {**base, "DATA_DIR": str(Path(folder) / "pg"), "DATABASE_URL": url}
                missed |= subprocess.run(command, env=env, check=False).returncode
        else:
            print("PostgreSQL: its programs are not here")
    sys.exit(missed)


if __name__ == "__main__":
    main()
