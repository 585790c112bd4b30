"""Tables of players, and faults while they play.

python -m tests.chaos.chaos [number of faults] [seed]
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from tqdm import tqdm

from tests.chaos.player import SILENCE, Player
from tests.chaos.processes import Site, Supervised

TABLES = 5
MATCH_SECONDS = 8
"""Short, so that many of them end, and are archived, among faults."""
MANY = 100
"""Faults, from which on some of them may take long."""
PATIENCE = 75
"""Seconds for the last matches to end, on a busy machine too."""
PLAYED_ON_WITHIN = 5
SHOWS_WITHIN = 25
"""Seconds for a match that met a fault to end."""

Fault = Callable[[], Awaitable[None]]
Enough = Callable[[], bool]


def never() -> bool:
    return False


class Chaos:
    def __init__(
        self,
        site: Site,
        seed: int,
        record: Path,
        match_seconds: int = MATCH_SECONDS,
        tables: int = TABLES,
        player: type[Player] = Player,
    ) -> None:
        self._site = site
        self._match_seconds = match_seconds
        self._chance = random.Random(seed)
        self._record = record.open("a")
        self._done = False
        self.faults: Counter[str] = Counter()
        users = site.make(f"users {2 * tables}")
        self.players = [
            player(site.ports, user, random.Random(self._chance.random()), self._record)
            for user in users
        ]
        self.ended = dict.fromkeys(self.players[::2], 0)
        """The number of matches that each table has played."""

    async def run(
        self, faults: int, only: list[Fault] | None = None, enough: Enough = never
    ) -> None:
        """Play while this many faults happen, then let every match end. A match that does not is
        left to the checker: its players never saw the end. All stops when there is `enough`."""
        loop = asyncio.get_running_loop()
        tables = {
            asyncio.create_task(self._table(*self.players[i : i + 2]))
            for i in range(0, len(self.players), 2)
        }
        await asyncio.sleep(2)
        for _ in tqdm(range(faults), unit="fault", disable=None):  # None: only on a terminal
            fault = self._chance.choice(only or self._kinds_for(faults))
            self.faults[fault.__name__] += 1
            await fault()
            # Every other fault meets players, the others what the last one has left.
            if self._chance.random() < 0.5:
                await self._played_on()
            else:
                await asyncio.sleep(self._chance.uniform(0.1, 1.0))
            if enough is not never and await self._shows(enough):
                break
        self._done = True
        stuck, end = tables, loop.time() + self._match_seconds + PATIENCE
        while stuck and loop.time() < end and not enough():
            _, stuck = await asyncio.wait(stuck, timeout=1)
        for table in stuck:
            table.cancel()
        await asyncio.gather(*(tables - stuck))

    async def _played_on(self) -> None:
        """Until somebody's move is acknowledged, or this takes too long."""
        loop = asyncio.get_running_loop()
        before, end = sum(player.acked for player in self.players), loop.time() + PLAYED_ON_WITHIN
        while sum(player.acked for player in self.players) == before and loop.time() < end:
            await asyncio.sleep(0.05)

    async def _shows(self, enough: Enough) -> bool:
        """Whether there is enough once the matches that met this fault have ended: the next one
        should meet players, not processes that are still starting."""
        before = dict(self.ended)
        for _ in range(SHOWS_WITHIN):
            await asyncio.sleep(1)
            if enough():
                return True
            if all(self.ended[player] > number for player, number in before.items()):
                break
        return False

    def close(self) -> None:
        self._record.close()

    async def _table(self, first: Player, second: Player) -> None:
        """One match after the other."""
        loop = asyncio.get_running_loop()
        while not self._done:
            line = f"match {first.id} {first.name} {second.id} {second.name} {self._match_seconds}"
            match_id = await loop.run_in_executor(None, self._make, line)
            await asyncio.gather(first.play(match_id, 0), second.play(match_id, 1))
            self.ended[first] += 1

    def _make(self, line: str) -> str:
        with self._site.lock:
            return self._site.make(line)

    # -- faults ----------------------------------------------------------------------------------

    @property
    def kinds(self) -> list[Fault]:
        return [
            self.kill_web,
            self.kill_web,
            self.kill_worker,
            self.kill_redis,
            self.pause_web,
            self.pause_worker,
            self.pause_redis,
            self.cut_players,
            self.cut_redis,
            self.cut_redis_in_the_middle,
            self.kill_all_webs,
            self.kill_web_while_redis_is_away,
        ]

    def _kinds_for(self, faults: int) -> list[Fault]:
        """Long faults only where there is time for many."""
        return self.kinds if faults < MANY else [*self.kinds * 2, *self.long_kinds]

    @property
    def long_kinds(self) -> list[Fault]:
        """Each longer than the time after which a process counts as dead."""
        return [
            self.stop_web_for_20_s,
            self.stop_worker_for_20_s,
            self.stop_redis_for_10_s,
            self.stop_all_but_one_web,
        ]

    async def _kill(self, process: Supervised) -> None:
        process.kill()
        await asyncio.sleep(self._chance.uniform(0.1, 0.8))
        process.start()

    async def _pause(self, process: Supervised, seconds: float) -> None:
        process.pause()
        await asyncio.sleep(seconds)
        process.resume()

    async def kill_web(self) -> None:
        await self._kill(self._chance.choice(self._site.webs))

    async def kill_worker(self) -> None:
        await self._kill(self._site.worker)

    async def kill_redis(self) -> None:
        await self._kill(self._site.redis)

    async def pause_web(self) -> None:
        await self._pause(self._chance.choice(self._site.webs), self._chance.uniform(0.5, 6))

    async def pause_worker(self) -> None:
        await self._pause(self._site.worker, self._chance.uniform(0.5, 3))

    async def pause_redis(self) -> None:
        await self._pause(self._site.redis, self._chance.uniform(0.5, 3))

    async def cut_players(self) -> None:
        for player in self._chance.sample(self.players, len(self.players) // 2):
            player.cut()

    async def cut_redis(self) -> None:
        with contextlib.suppress(OSError, ConnectionError):
            self._site.cut_redis_connections()

    async def cut_redis_in_the_middle(self) -> None:
        """Each connection delivers a part of its next message, to Redis or back."""
        self._site.proxy.cut_in_the_middle()

    async def stop_web_for_20_s(self) -> None:
        await self._pause(self._chance.choice(self._site.webs), 20)

    async def stop_worker_for_20_s(self) -> None:
        await self._pause(self._site.worker, 20)

    async def stop_redis_for_10_s(self) -> None:
        await self._pause(self._site.redis, 10)

    async def stop_all_but_one_web(self) -> None:
        await asyncio.gather(
            self.stop_web_for_20_s(), self.stop_worker_for_20_s(), self.stop_redis_for_10_s()
        )

    async def kill_all_webs(self) -> None:
        for web in self._site.webs:
            web.kill()
        await asyncio.sleep(self._chance.uniform(0.5, 3))
        for web in self._site.webs:
            web.start()

    async def kill_web_while_redis_is_away(self) -> None:
        """A move that was acknowledged before it was stored is lost here."""
        self._site.redis.pause()
        await asyncio.sleep(0.6)
        web = self._chance.choice(self._site.webs)
        web.kill()
        self._site.redis.resume()
        await asyncio.sleep(0.2)
        web.start()

    async def pause_web_for_long(self) -> None:
        """Its players go elsewhere and send again what it still has to read."""
        await self._pause(self._chance.choice(self._site.webs), SILENCE + 1.5)


def main(faults: int, seed: int) -> int:
    from tests.chaos.checker import check

    folder = Path(tempfile.mkdtemp(prefix="chaos-site-"))
    site = Site(folder)
    site.start()
    try:
        with contextlib.closing(Chaos(site, seed, folder / "record")) as chaos:
            asyncio.run(chaos.run(faults))
        stuck = site.wait_until_archived(30)
        wrong = check(folder / "record", site.archived())
    finally:
        site.stop()
    print(f"{sum(chaos.faults.values())} faults: {dict(chaos.faults)}")
    print(f"{len(site.archived())} matches, {len(stuck)} stuck; output in {folder}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    import django

    django.setup()
    arguments = [int(argument) for argument in sys.argv[1:]]
    raise SystemExit(main(*(arguments + [30, 1][len(arguments) :])))
