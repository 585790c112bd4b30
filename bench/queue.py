"""Thousands who queue at once: `python -m bench.queue [--players N]`.

Everybody has a lobby socket and asks for a race in the same moment. Measured are the time until all
of them are in a match, and the CPU time of the worker; then waves over tickets that don't fit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from bench.crowd import Crowd
from bench.lobby import LIMITS, cpu, process_of, sign_in
from lobby.pairing import Config, offers, pair
from lobby.players import Player
from lobby.tickets import Wish, new_ticket
from tests.running_site import RunningSite, new_site

WISH = {"mode": "race", "size": 2}
BARS = {"all": 5.0, "match": 2.0, "wave": 20.0}
CONFIG = Config(sizes={f"mode{n}": (2, 2) for n in range(6)})
STOCK = """
from lobby.dealing import pool
import asyncio
print(asyncio.run(pool.stored(pool.spec_for("race", {}))))
"""


async def matched(site: RunningSite, number: int, web_processes: int) -> None:
    worker = process_of(site, "worker")
    async with Crowd(site.port) as crowd:
        await crowd.open(sign_in(site, number))
        await boards_are_there(site, number // 2)
        webs = [process_of(site, "web", n) for n in range(web_processes)]
        spent, spent_web = cpu(worker), sum(map(cpu, webs))
        begin = time.perf_counter()
        await crowd.ask("expect", '"matched"')
        await crowd.ask("say", json.dumps({"type": "queue", "wishes": [WISH]}))
        told = await crowd.ask("heard", 60)
        took = time.perf_counter() - begin
        per_match = 1000 * (cpu(worker) - spent) / (number / 2)
        web = 1000 * (sum(map(cpu, webs)) - spent_web) / number
    seats = Counter(json.loads(value)["match"] for value in told["values"])
    wrong = sum(players != 2 for players in seats.values())
    show(f"{told['number']} of {number} matched after", took, BARS["all"], "s")
    show("CPU of the worker", per_match, BARS["match"], "ms a match")
    print(f"  {'CPU of web':<32} {web:>8.2f} ms a player")
    print(f"  {wrong} matches without two players; refused: {told['errors'] or 'nobody'}")


async def boards_are_there(site: RunningSite, number: int) -> None:
    """The worker makes them while players arrive."""
    deadline = time.monotonic() + 90
    while int(await asyncio.to_thread(site.python, STOCK)) < number:
        if time.monotonic() > deadline:
            print("  (not all boards were in store)")
            return
        await asyncio.sleep(0.5)


def waves() -> None:
    """Pairing alone, with tickets that have nobody within their window."""
    random = Random(1)
    for number, wishes in ((3_000, 1), (1_000, 6)):
        tickets = [
            new_ticket(
                Player(
                    identity=f"u{n}", name="x", kind="guest", user_id=n,
                    ratings=dict.fromkeys(CONFIG.sizes, 1000.0 + 400 * n),
                ),
                tuple(Wish(mode=mode, size=2) for mode in list(CONFIG.sizes)[:wishes]),
                random.randrange(1_000),
            )
            for n in range(number)
        ]  # fmt: skip
        for name, run in (
            ("a wave over", lambda t=tickets: pair(t, 1_000, CONFIG)),
            ("bot offers to", lambda t=tickets: offers(t, 30_000, CONFIG)),
        ):
            spent = time.process_time()
            assert run() == [] or name.startswith("bot")
            took = 1000 * (time.process_time() - spent)
            show(f"{name} {number}, {wishes} wishes", took, BARS["wave"], "ms of CPU")


def show(name: str, value: float, bar: float, unit: str) -> None:
    print(f"  {name:<32} {value:>8.2f} {unit:<24} (the bar: {bar:g})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.queue", description=__doc__)
    parser.add_argument("--players", type=int, default=3000)
    parser.add_argument("--web-processes", type=int, default=1)
    asked = parser.parse_args()
    waves()
    with tempfile.TemporaryDirectory() as folder:
        more = {**LIMITS, "WEB_PROCESSES": str(asked.web_processes)}
        site = new_site(Path(folder) / "var", **more)
        try:
            site.start()
            asyncio.run(matched(site, asked.players, asked.web_processes))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
