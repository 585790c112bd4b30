"""An honest Battleship match over TCP beside 2,000 idle and 500 dribbling connections.

    python -m bench.text

Prints the time from BOM1 to RES1, alone and in that company; the ratio must stay below 2.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests.running_site import RunningSite, new_site

IDLE, DRIBBLING, SHOTS = 2000, 500, 60
BOARD = ("11111000002222000000333000000044400000005500000000").ljust(100, "0")
# Two lines every tenth of a second stay below the limit of lines.
PAUSE = 0.11


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, site: RunningSite) -> Client:
        return cls(*await asyncio.open_connection("127.0.0.1", site.tcp_port))

    def send(self, text: str) -> None:
        self._writer.write(text.encode())

    async def line(self) -> str:
        return (await self._reader.readline()).decode().strip()

    def close(self) -> None:
        self._writer.close()


async def latencies(site: RunningSite) -> list[float]:
    """Of the bombs of one match, in milliseconds. Both bomb water, so that it lasts."""
    players = [await Client.open(site) for _ in range(2)]
    for number, player in enumerate(players):
        player.send(f"PLAY honest{number}\n")
    for player in players:
        assert (await player.line()).startswith("PLAY")
        player.send(f"REDY {BOARD}\n")
    turns = [await player.line() for player in players]
    attacker = turns.index("TURN")
    found = []
    for shot in range(SHOTS):
        cell = 99 - shot // 2
        before = time.perf_counter()
        players[attacker].send(f"BOM1 {cell % 10}{cell // 10}\n")
        assert (await players[attacker].line()).startswith("RES1")
        found.append((time.perf_counter() - before) * 1000)
        await players[attacker].line()
        for _ in range(2):
            await players[1 - attacker].line()
        attacker = 1 - attacker
        await asyncio.sleep(PAUSE / 2)
    for player in players:
        player.close()
    return found


async def company(site: RunningSite) -> list[asyncio.Task[None]]:
    """Connections that said something once, and connections that send a byte now and then."""

    async def idle() -> None:
        client = await Client.open(site)
        client.send("HELO\n")
        await asyncio.Event().wait()

    async def dribble() -> None:
        client = await Client.open(site)
        client.send("HELO\n")
        while True:
            client.send("x")
            await asyncio.sleep(0.5)

    tasks = []
    for number in range(IDLE + DRIBBLING):
        tasks.append(asyncio.create_task(idle() if number < IDLE else dribble()))
        if number % 100 == 99:
            await asyncio.sleep(0.05)
    await asyncio.sleep(2)
    assert not any(task.done() for task in tasks)
    return tasks


async def measure(site: RunningSite) -> None:
    await latencies(site)  # warm
    alone = await latencies(site)
    tasks = await company(site)
    beside = await latencies(site)
    for task in tasks:
        task.cancel()
    print(f"{'BOM1 to RES1':<42} {'median':>10} {'p90':>10}")
    for name, times in (("alone", alone), ("beside 2,000 idle and 500 dribbling", beside)):
        tenths = statistics.quantiles(times, n=10)
        print(f"{name:<42} {statistics.median(times):>7.2f} ms {tenths[-1]:>7.2f} ms")
    ratio = statistics.median(beside) / statistics.median(alone)
    print(f"{'ratio of the medians (bar: 2)':<42} {ratio:>10.2f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        site = new_site(Path(folder) / "var", TCP_CONNECTIONS_PER_ADDRESS="5000")
        site.start()
        try:
            asyncio.run(measure(site))
        finally:
            site.stop()


if __name__ == "__main__":
    main()
