"""Fail-overs while matches run: kill -9 of the Redis that has the logs, again and again.

python -m tests.chaos.failover [fail-overs] [seed] [sentinels or cluster]
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.chaos.chaos import Chaos
from tests.chaos.deploy import part
from tests.chaos.player import Player
from tests.chaos.processes import Site
from tests.chaos.replicated import Cluster, Sentinels

TABLES = 8
MATCH_SECONDS = 20
ANSWERS_AGAIN_WITHIN = 60
"""Seconds after a fail-over."""


class Waiting(Player):
    """Measures how long each answer takes."""

    answers: list[tuple[float, float]] = []
    """The time of each, and how long it took."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pace = (0.04, 0.12)
        self._asked_at: dict[str, float] = {}

    async def play(self, match_id: str, seat: int) -> None:
        self._asked_at.clear()
        await super().play(match_id, seat)

    async def _send(self, socket: Any, cid: str, action: Any, again: bool = False) -> None:
        self._asked_at.setdefault(cid, time.monotonic())
        await super()._send(socket, cid, action, again)

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] in ("ack", "refused") and message["id"] in self._asked_at:
            now = time.monotonic()
            self.answers.append((now, now - self._asked_at.pop(message["id"])))
        super()._hear(message)


class ReplicatedSite(Site):
    """The logs are on servers with replicas, and acknowledgements wait for one of them."""

    def __init__(self, folder: Path, servers: Sentinels | Cluster) -> None:
        super().__init__(folder)
        self.servers = servers
        self.took: list[float] = []
        self.pauses: list[float] = []
        self._env |= {"LIVE_REDIS_URL": servers.url, "LIVE_ACK_REPLICAS": "1"}

    async def fail_over(self) -> None:
        killed = time.monotonic()
        self.took.append(await asyncio.to_thread(self.servers.fail_over))
        await asyncio.to_thread(self.servers.heal)
        async with asyncio.timeout(ANSWERS_AGAIN_WITHIN):
            while not any(at > killed + self.took[-1] for at, _took in Waiting.answers):
                await asyncio.sleep(0.05)
        # Nobody's move is answered while there is no primary.
        times = sorted(at for at, _took in Waiting.answers if at > killed - 1)
        gaps = [late - early for early, late in pairwise(times)]
        self.pauses.append(max(gaps, default=0.0))


class Result:
    def __init__(self, site: ReplicatedSite, record: Path, acked: int) -> None:
        from tests.chaos.checker import check  # needs the apps

        archived = site.archived()
        self.acked = acked
        self.took, self.pauses = site.took, site.pauses
        self.matches = len(archived)
        self.wrong = check(record, archived)
        self.slowest = [took for _at, took in Waiting.answers]

    def __str__(self) -> str:
        def spread(values: list[float]) -> str:
            half, most = part(values, 0.5), part(values, 1.0)
            return f"{half:.2f} s in the middle, {most:.2f} s at most"

        return (
            f"{len(self.took)} fail-overs, {self.matches} matches, {self.acked} moves "
            f"acknowledged, {len(self.wrong)} promises broken\n"
            f"until there was a new primary: {spread(self.took)}\n"
            f"until the next answer: {spread(self.pauses)}\n"
            f"an answer: {part(self.slowest, 0.5) * 1000:.0f} ms in the middle, "
            f"{part(self.slowest, 1.0):.2f} s at most"
        )


def run(
    folder: Path,
    fail_overs: int,
    seed: int = 1,
    kind: str = "sentinels",
    tables: int = TABLES,
    seconds: int = MATCH_SECONDS,
) -> Result:
    servers = Sentinels() if kind == "sentinels" else Cluster(random.Random(seed))
    Waiting.answers = []
    try:
        site = ReplicatedSite(folder, servers)
        site.start()
        try:
            chaos = Chaos(site, seed, folder / "record", seconds, tables, Waiting)
            with contextlib.closing(chaos):
                asyncio.run(chaos.run(fail_overs, [site.fail_over]))
            site.wait_until_archived(60)
            acked = sum(player.acked for player in chaos.players)
            return Result(site, folder / "record", acked)
        finally:
            site.stop()
    finally:
        servers.stop()


def main(fail_overs: int = 20, seed: int = 1, kind: str = "sentinels") -> int:
    folder = Path(tempfile.mkdtemp(prefix="failover-"))
    begin = time.monotonic()
    result = run(folder, fail_overs, seed, kind)
    print(f"{result}\n{time.monotonic() - begin:.0f} s; output in {folder}")
    for line in result.wrong:
        print(line)
    return 1 if result.wrong else 0


if __name__ == "__main__":
    import django

    django.setup()
    numbers = [int(word) for word in sys.argv[1:3]]
    raise SystemExit(main(*numbers, *sys.argv[3:4]))
