"""Area Attack on our own site: scripted players who know the board and never strike a mine."""

from __future__ import annotations

import random
from time import perf_counter

import msgspec

from bench.load.adapters import Adapter, Minesite
from bench.load.rooms import Room, Run
from bench.load.wire import Socket
from games.engine.grid import square8
from games.modes.area_attack.rules.generation import generate

SIZE, DENSITY = 100, 0.2
STARTS = (25 * SIZE + 25, 75 * SIZE + 75)
decode = msgspec.json.decode


class AreaAttack(Minesite):
    """The largest board, and its first stage to the end: the most moves that one match has."""

    mode = "area-attack"
    options = msgspec.json.encode(
        {
            "size": SIZE,
            "density": DENSITY,
            "pick_seconds": 300,
            "attack_at_seconds": 359,
            "lock_at_seconds": 359,
            "attack_at_claimed": 1,
            "lock_at_claimed": 1,
        }
    ).decode()

    async def begin(self, sockets: list[Socket]) -> None:
        for seat, (socket, start) in enumerate(zip(sockets, STARTS, strict=True)):
            socket.send(b'{"type":"act","id":"pick","action":{"type":"pick","cell":%d}}' % start)
            await socket.expect(b'"picked","seat":%d' % seat)
        for socket in sockets:
            socket.send(b'{"type":"act","id":"confirm","action":{"type":"confirm"}}')
        for socket in sockets:
            await socket.expect(b'"started"')


class AreaRoom(Room):
    """A claim may flood, and a flood may take what the other was about to claim."""

    def __init__(self, adapter: Adapter, name: str, run: Run, seed: int) -> None:
        super().__init__(adapter, name, run, seed)
        assert isinstance(adapter, AreaAttack)
        mines, _ = generate(adapter.seeds[name], square8(SIZE, SIZE), DENSITY, STARTS)
        safe = [cell for cell, mine in enumerate(mines) if not mine]
        random.Random(seed).shuffle(safe)
        # Each keeps to one half, as players do for most of a match.
        self.cells = [
            [cell for cell in safe if (cell % SIZE < SIZE // 2) == (seat == 0)] for seat in (0, 1)
        ]
        self.owned: set[int] = set()

    def move(self, seat: int, at: float) -> None:
        cells = self.cells[seat]
        while cells and cells[-1] in self.owned:
            cells.pop()
        super().move(seat, at)

    def heard(self, data: bytes) -> None:
        for message in decode(data):
            event = message.get("event", message)
            if event["type"] == "claimed":
                cells = event["cells"]
                self.owned.update(cells)
                # The first cell is the one that was claimed; none at the start of the match.
                if cells[0] in self.pending:
                    self.arrived(cells[0])
            elif event["type"] == "refused":
                self.refused(int(event["id"]))

    def refused(self, cell: int) -> None:
        """The other one's flood was quicker: no move, and on with the next one."""
        _, _, seat = self.pending.pop(cell)
        self.run.in_flight -= 1
        if self.on_complete is not None:
            self.move(int(seat), perf_counter())
