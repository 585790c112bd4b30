"""The cost of visitors for a live match beside them: `python -m bench.beside [--seconds N]`.

Starts the site with a long finished match, and has a player's moves acknowledged a hundred times a
second: alone, and beside visitors who ask for pages without a pause, for one replay by 24 at once,
for analyses of four long matches, and beside 16 MineWars matches that open. Each row is the p99 of
the moves and its ratio to the same player alone, measured right before it: the machine may be busy.
The lag is that of the web process's event loop in that time, from /metrics.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

import httpx

from bench import lobby
from bench.lobby import LIMITS, connect, cpu, sign_in, web_process
from tests.running_site import RunningSite, new_site

OPEN: dict[str, str] = {
    **LIMITS,
    "REQUESTS_PER_ADDRESS": "0",
    "CONNECTIONS_PER_ADDRESS": "10000",
    "ANALYSIS_PROCESSES": "4",
    "LOG_LEVEL": "ERROR",
}
VISITORS = 4
FILL = """
from accounts.models import User
from tests.analysing.conftest import archived, played
from tests.web.finished import classic
for _ in range(3):
    classic()
entries, _state = played("area-attack", {"size": 40})
for _ in range(5):
    print("long", archived(entries))
"""

Crowd = Callable[[], Awaitable[None]]


async def moves(site: RunningSite, key: str, seconds: float) -> float:
    """The p99 of a player's moves, in ms."""
    lobby.MOVES = int(lobby.MOVES_PER_SECOND * seconds)
    return quantiles(await lobby.play(site, key), n=100)[98]


@asynccontextmanager
async def crowd(*visitors: Crowd) -> AsyncIterator[list[int]]:
    """Each visitor again and again, until the block ends; how often it was."""
    done = [0]

    async def again(visit: Crowd) -> None:
        while True:
            await visit()
            done[0] += 1

    tasks = [asyncio.create_task(again(visit)) for visit in visitors]
    await asyncio.sleep(0.3)
    try:
        yield done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def lag_counts(client: httpx.AsyncClient) -> dict[str, float]:
    text = (await client.get("/metrics")).text
    found = re.findall(
        r'minesite_loop_lag_seconds_bucket\{le="([^"]+)",process="web"\} (\S+)', text
    )
    return {le: float(count) for le, count in found}


def lag_share(before: dict[str, float], after: dict[str, float], le: str) -> float:
    """The share of timers that were later than this, in percent."""
    whole = after["+Inf"] - before.get("+Inf", 0)
    return 100 * (1 - (after[le] - before.get(le, 0)) / whole) if whole else 0.0


async def measure(site: RunningSite, seconds: float) -> None:
    made = [line.split()[1] for line in site.python(FILL).splitlines() if line[:5] == "long "]
    one, *long = made
    keys = sign_in(site, 40)
    web = web_process(site)
    cookies = {"sessionid": keys.pop()}
    limits = httpx.Limits(max_connections=200)
    async with httpx.AsyncClient(
        base_url=site.url, timeout=120, limits=limits, cookies=cookies
    ) as client:

        def visits(*pages: str) -> list[Crowd]:
            async def visit() -> None:
                for page in pages:
                    answer = await client.get(page)
                    assert answer.status_code in (200, 202, 503), f"{page}: {answer.status_code}"

            return [visit] * VISITORS

        async def ask_all() -> None:
            asked = [client.get(f"/match/{one}/replay.json") for _ in range(24)]
            answers = await asyncio.gather(*asked)
            assert {answer.status_code for answer in answers} == {200}

        async def analyse() -> None:
            site.python("from games.models import Computed\nComputed.objects.all().delete()")
            for match in long:
                await client.get(f"/match/{match}/analysis.json")
            await asyncio.sleep(1)

        async def open_wars() -> None:
            await open_matches(site, keys[:16])

        await moves(site, keys.pop(), 2)  # everything is imported once
        await ask_all()
        rows: dict[str, list[Crowd]] = {
            "/watch/": visits("/watch/"),
            "/history/, /@name/": visits("/history/", "/@Ada/"),
            "a replay's page": visits(f"/match/{one}/"),
            "replay.json": visits(f"/match/{one}/replay.json"),
            "24 ask for one replay": [ask_all],
            "four analyses": [analyse],
            "16 MineWars matches open": [open_wars],
        }
        print(f"  {'beside':<28}{'alone':>8}{'p99, ms':>9}{'ratio':>7}", end="")
        print(f"{'lag > 5 ms':>12}{'> 20 ms':>9}{'asked':>8}{'web CPU':>9}")
        for name, visitors in rows.items():
            alone = await moves(site, keys.pop(), seconds)
            before, spent, begin = await lag_counts(client), cpu(web), time.monotonic()
            async with crowd(*visitors) as asked:
                beside = await moves(site, keys.pop(), seconds)
            busy = (cpu(web) - spent) / (time.monotonic() - begin)
            after = await lag_counts(client)
            late, later = (lag_share(before, after, le) for le in ("0.005", "0.02"))
            print(f"  {name:<28}{alone:>8.1f}{beside:>9.1f}{beside / alone:>7.1f}", end="")
            print(f"{late:>10.1f} %{later:>7.1f} %{asked[0]:>8}{100 * busy:>7.0f} %", flush=True)


async def open_matches(site: RunningSite, keys: list[str]) -> None:
    """Matches on the Classic map, each with a spectator."""
    made = await asyncio.to_thread(site.python, MAKE_WARS)

    async def watch(match: str) -> None:
        socket = await connect(site, f"/ws/match/{match}/", keys[0])
        socket.send(b'{"type":"hello","version":1}')
        await socket.expect(b'"view"')
        socket.close()

    await asyncio.gather(*map(watch, made.split()))


MAKE_WARS = """
import asyncio
from games import redis
from games.live import host
from games.live.setup import SeatInfo
from games.live.start import create_match
async def main():
    seats = [SeatInfo(None, f"bench{n}", "guest") for n in range(4)]
    for _ in range(16):
        options = {"preset": "classic"}
        print(await create_match("minewars", seats, options, rated=False, source="queue"))
    await asyncio.gather(*host.host().starts._making.values())
    await host.close()
    await redis.close()
asyncio.run(main())
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = new_site(Path(folder) / "var", **OPEN)
        try:
            site.start()
            print("A live match beside visitors, on one web process")
            asyncio.run(measure(site, asked.seconds))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
