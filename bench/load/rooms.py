"""Rooms of two scripted players, and the ways to load a server with them."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from time import perf_counter

from bench.load.adapters import Adapter
from bench.load.wire import Socket

CELLS = 900


class Run:
    """The events of one measured stretch: completed moves and how long each took."""

    def __init__(self) -> None:
        self.latencies: list[float] = []
        self.measuring = False
        self.sent_from = 0.0
        """Moves that were sent earlier are not measured."""
        self.exhausted = asyncio.Event()
        self.in_flight = 0
        self.completed = 0


class Room:
    """A move is complete when everybody in the room has a copy of it."""

    def __init__(self, adapter: Adapter, name: str, run: Run, seed: int) -> None:
        self.adapter = adapter
        self.name = name
        self.run = run
        cells = random.Random(seed).sample(range(CELLS), CELLS)
        self.cells = [cells[0::2], cells[1::2]]
        self.players: list[Socket] = []
        self.watchers: list[Socket] = []
        # Cell -> copies that are missing, when it was sent, by whom.
        self.pending: dict[int, list[float]] = {}
        self.on_complete: Callable[[int], None] | None = None

    async def open(self, watchers: int) -> None:
        for seat in (0, 1):
            self.players.append(await self.adapter.join(self.name, seat))
        for _ in range(watchers):
            self.watchers.append(await self.adapter.join(self.name, None))
        await self.adapter.begin(self.players)
        for socket in self.players + self.watchers:
            socket.listen(self.heard)

    def move(self, seat: int, at: float) -> None:
        cells = self.cells[seat]
        if not cells:
            self.run.exhausted.set()
            return
        cell = cells.pop()
        self.pending[cell] = [len(self.players) + len(self.watchers), at, seat]
        self.run.in_flight += 1
        self.players[seat].send(self.adapter.claim(self.name, seat, cell))

    def heard(self, data: bytes) -> None:
        for cell in self.adapter.cells(data):
            self.arrived(cell)

    def arrived(self, cell: int) -> None:
        """One more has a copy of this move."""
        entry = self.pending[cell]
        entry[0] -= 1
        if entry[0] == 0:
            del self.pending[cell]
            run = self.run
            run.in_flight -= 1
            run.completed += 1
            if run.measuring and entry[1] >= run.sent_from:
                run.latencies.append(perf_counter() - entry[1])
            if self.on_complete is not None:
                self.on_complete(int(entry[2]))

    def close(self) -> None:
        for socket in self.players + self.watchers:
            socket.close()


async def open_rooms(
    adapter: Adapter,
    count: int,
    watchers: int,
    run: Run,
    make_room: Callable[[Adapter, str, Run, int], Room],
    at_once: int = 16,
) -> list[Room]:
    rooms: list[Room] = []
    while len(rooms) < count:
        # A few at a time: a room waits only so long for its players.
        names = await adapter.open_rooms(min(at_once, count - len(rooms)))
        seeds = range(len(rooms), count)
        new = [
            make_room(adapter, name, run, seed) for name, seed in zip(names, seeds, strict=False)
        ]
        await asyncio.gather(*[room.open(watchers) for room in new])
        rooms += new
    return rooms


async def closed_loop(
    rooms: list[Room], run: Run, warm_up: float, seconds: float, under_way: int = 1
) -> float:
    """Every player has so many moves under way, always. The measured seconds."""
    for room in rooms:
        room.on_complete = lambda seat, room=room: room.move(seat, perf_counter())
        for seat in (0, 1) * under_way:
            room.move(seat, perf_counter())
    await asyncio.sleep(warm_up)
    start = perf_counter()
    run.measuring = True
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(run.exhausted.wait(), seconds)
    # On a machine that is busy with other things not one move may be through yet.
    while not run.latencies and not run.exhausted.is_set():
        if perf_counter() > start + 30:
            break
        await asyncio.sleep(0.01)
    run.measuring = False
    took = perf_counter() - start
    for room in rooms:
        room.on_complete = None
    await _settle(run)
    return took


async def fixed_rate(
    rooms: list[Room], run: Run, rate: float, warm_up: float, seconds: float
) -> float:
    """Moves leave on schedule, whether or not earlier ones came back; a latency counts from the
    scheduled moment, so a stall of the server is felt by every move it delays."""
    turns = [(room, seat) for seat in (0, 1) for room in rooms]
    start = perf_counter()
    sent, total = 0, round(rate * (warm_up + seconds))
    run.measuring, run.sent_from = True, start + warm_up
    while sent < total and not run.exhausted.is_set():
        now = perf_counter() - start
        while sent < total and sent / rate <= now:
            room, seat = turns[sent % len(turns)]
            room.move(seat, start + sent / rate)
            sent += 1
        await asyncio.sleep(0.0005)
    took = perf_counter() - start - warm_up
    await _settle(run)
    return took


async def _settle(run: Run) -> None:
    """Wait for the last copies: a move that never completes is an error, not a good figure."""
    deadline = perf_counter() + 20
    while run.in_flight:
        if perf_counter() > deadline:
            raise SystemExit(f"{run.in_flight} moves never reached everybody")
        await asyncio.sleep(0.01)
