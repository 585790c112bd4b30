"""Matches that end at the same time: `python -m bench.endings [--matches N]`.

Rated races of two are played to their end by surrender, all within five seconds, by a process
beside the site; the worker stores them. Measured are the time from the last end until all are in
the history, and the worker's CPU time; afterwards the ratings are counted again and compared. On
SQLite, and on PostgreSQL where it is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
import time
from pathlib import Path

from bench.lobby import LIMITS, cpu, process_of
from tests.postgresql import binaries, throwaway_postgresql
from tests.running_site import new_site

BAR, WITHIN = 5.0, 5.0

PLAY = """
import asyncio, json, time
from asgiref.sync import sync_to_async
from accounts.models import User
from games import redis as site_redis
from games.live import host
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo, new_id
from games.live.start import create_matches, new_setup

OPTIONS = {{"width": 9, "height": 9, "mines": 10, "no_guess": False}}

async def play(match_id, after):
    seats = [await SeatClient.open(match_id, n) for n in (0, 1)]
    for seat in seats:
        await seat.act({{"type": "ready"}})
    while seats[0].replica.view(0)["phase"] != "live":  # flags are refused in the countdown
        await asyncio.sleep(0.05)
    for seat in seats:
        flags = 0
        for cell in range(81):  # those that the start has opened can't be flagged
            flags += (await seat.act({{"type": "flag", "cell": cell, "on": True}})).stored
            if flags == 4:
                break
        assert flags == 4
    await all_live.wait()
    await asyncio.sleep(after)
    done = await seats[0].act({{"type": "surrender"}})
    for seat in seats:
        seat.close()
    return done.stored

async def main():
    global all_live
    all_live = asyncio.Barrier({matches})
    make = [User(username=f"end{{n}}", password="!") for n in range(2 * {matches})]
    users = await sync_to_async(User.objects.bulk_create)(make)
    seats = [SeatInfo(user_id=u.pk, name=u.username, kind="registered") for u in users]
    new = {{
        new_id(): new_setup("race", seats[n : n + 2], OPTIONS, rated=True, source="queue")
        for n in range(0, len(seats), 2)
    }}
    await create_matches(new)
    games = [
        asyncio.create_task(play(match_id, {within} * n / len(new)))
        for n, match_id in enumerate(new)
    ]
    stored = await asyncio.gather(*games)
    print(json.dumps({{"matches": len(new), "stored": sum(stored), "at": time.time()}}))
    await host.close()
    await site_redis.close()

asyncio.run(main())
"""

STORED = """
import json
from games.models import Match
print(json.dumps([Match.objects.filter(status="over").count(), Match.objects.count()]))
"""


def measure(name: str, url: str, matches: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        more = {**LIMITS, **({"DATABASE_URL": url} if url else {})}
        site = new_site(Path(folder) / "var", **more)
        try:
            site.start()
            worker = process_of(site, "worker")
            spent = cpu(worker)
            code = PLAY.format(matches=matches, within=WITHIN)
            done = json.loads(site.python(code))
            deadline = time.monotonic() + 120
            while (counted := json.loads(site.python(STORED)))[0] < done["matches"]:
                if time.monotonic() > deadline:
                    break
                time.sleep(0.05)
            late = time.time() - done["at"]
            each = 1000 * (cpu(worker) - spent) / done["matches"]
            print(
                f"  {name}: {counted[0]} of {done['matches']} in the history {late:.1f} s after "
                f"the last end (the bar: {BAR:g}), {each:.1f} ms of worker CPU each; "
                f"{site.manage('recompute_ratings').strip()}",
                flush=True,
            )
        finally:
            site.stop()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.endings", description=__doc__)
    parser.add_argument("--matches", type=int, default=500)
    asked = parser.parse_args()
    print(f"{asked.matches} matches that end within {WITHIN:g} s")
    measure("SQLite", "", asked.matches)
    folder = binaries()
    if folder is None:
        print("  PostgreSQL isn't installed here")
        return
    with contextlib.ExitStack() as stack:
        measure("PostgreSQL", stack.enter_context(throwaway_postgresql(folder)), asked.matches)


if __name__ == "__main__":
    main()
