"""`make load VISITORS=5000 PLAYERS=1000 MINUTES=2`: a table, and a plot in bench/results/."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from ipaddress import ip_address
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import httpx
from tqdm import tqdm

from bench.site_load.client import Client
from bench.site_load.figures import Figures
from bench.site_load.people import Player, Spectator, Visitor, until_the_end

MOST = 20_000
"""People of one run."""
MOST_MINUTES = 60
SPECTATORS = 0.1
"""Of the visitors."""
ARRIVING = 0.25
"""The share of the run in which people arrive."""
GUESTS_AT_ONCE = 8
PLOT = Path("bench/results/load.svg")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.site_load", description=__doc__)
    parser.add_argument("--url", default=f"http://127.0.0.1:{os.environ.get('PORT') or 8000}")
    parser.add_argument("--visitors", type=int, default=200)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, default=PLOT)
    parser.add_argument(
        "--anywhere", action="store_true", help="allow a site that isn't on this machine"
    )
    asked = parser.parse_args()
    if not asked.anywhere and not is_here(asked.url):
        sys.exit(f"{asked.url} isn't on this machine. Use --anywhere if the site is yours.")
    if asked.visitors + asked.players > MOST or not 0 < asked.minutes <= MOST_MINUTES:
        sys.exit(f"At most {MOST:,} people and {MOST_MINUTES} minutes.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "minesite.settings")
    figures = asyncio.run(drive(asked))
    print(figures.table(asked.minutes))
    asked.plot.parent.mkdir(parents=True, exist_ok=True)
    asked.plot.write_text(figures.plot())
    print(f"\nPlot: {asked.plot}")


def is_here(url: str) -> bool:
    name = urlsplit(url).hostname or ""
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


async def drive(asked: argparse.Namespace) -> Figures:
    figures = Figures(time.monotonic())
    limits = httpx.Limits(max_connections=200, max_keepalive_connections=50)
    async with httpx.AsyncClient(limits=limits, timeout=30, trust_env=False) as http:
        players = await sign_in(asked, http, figures)
        figures.began = time.monotonic()
        end = figures.began + 60 * asked.minutes
        people: list[Visitor | Player] = []
        for number in range(asked.visitors):
            kind = Spectator if number < SPECTATORS * asked.visitors else Visitor
            people.append(kind(Client(asked.url, http, figures), Random(asked.seed + number)))
        people += players
        random = Random(asked.seed)
        random.shuffle(people)
        bar = asyncio.create_task(show_progress(end, figures))
        arriving = 60 * asked.minutes * ARRIVING
        await asyncio.gather(*(arrive(one, end, random.uniform(0, arriving)) for one in people))
        bar.cancel()
    figures.counts["visitors"], figures.counts["players"] = asked.visitors, len(players)
    return figures


async def sign_in(
    asked: argparse.Namespace, http: httpx.AsyncClient, figures: Figures
) -> list[Player]:
    """As guests; the site limits how many one address may make in a while."""
    players: list[Player] = []
    numbers = iter(range(asked.players))

    async def sign_in_one_after_another() -> None:
        for number in numbers:
            client = Client(asked.url, http, figures)
            if not await client.become_guest():
                return
            players.append(Player(client, Random(asked.seed + 1_000_000 + number)))

    await asyncio.gather(*(sign_in_one_after_another() for _ in range(GUESTS_AT_ONCE)))
    if len(players) < asked.players:
        print(
            f"The site took {len(players)} guests from this address, its limit. "
            "GUESTS_PER_ADDRESS=10000 in the site's environment raises it (docs/operations.md)."
        )
    return players


async def arrive(person: Visitor | Player, end: float, after: float) -> None:
    await asyncio.sleep(after)
    await until_the_end(person.live, person.client, end, person.random)


async def show_progress(end: float, figures: Figures) -> None:
    with tqdm(total=int(end - time.monotonic()), unit="s", desc="load", disable=None) as bar:
        while True:
            await asyncio.sleep(1)
            bar.set_postfix(moves=figures.counts["moves acknowledged"], refresh=False)
            bar.update(1)


if __name__ == "__main__":
    main()
