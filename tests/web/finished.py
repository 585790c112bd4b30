"""Finished matches for pages to show, played by somebody who knows everything: no waiting, and the
same match for the same name. Run it beside a site: `site.python("from tests.web.finished import
...")`."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from accounts.models import User
from games.engine.registry import game
from games.live import entry as kinds
from games.live.archive import store
from games.live.entry import Entry
from games.live.match_state import MatchState
from games.live.setup import MatchSetup, SeatInfo

BEGIN = 1_790_000_000_000


class Table:
    """A match at which one writes the entries oneself."""

    def __init__(self, mode: str, names: list[str], options: dict[str, Any]) -> None:
        seed = sha256(f"{mode}{names}".encode()).hexdigest()
        users = [
            User.objects.get_or_create(username=name, defaults={"password": "!"})[0]
            for name in names
        ]
        seats = [SeatInfo(user.pk, user.username, user.kind) for user in users]
        version = game(mode).spec.version
        setup = MatchSetup(mode, version, seed, seats, options, rated=False, source="queue")
        self.id = f"t{seed[:11]}"
        self.now = BEGIN
        self.entries = [Entry(0, self.now, kinds.SETUP, None, "", setup.encode())]
        self.course = MatchState(self.entries[0])

    @property
    def over(self) -> bool:
        return self.course.outcome() is not None

    @property
    def truth(self) -> dict[str, Any]:
        return self.course.game.rules.truth(self.course.state.game)

    def act(self, seat: int, type: str, after: int = 350, **fields: Any) -> None:
        if self.over:
            return
        self.now += after
        data = json.dumps({"type": type, **fields}).encode()
        number = len(self.entries)
        entry = Entry(number, self.now, kinds.ACTION, seat, f"c{number}", data)
        self.entries.append(entry)
        self.course.apply(entry)

    def tick(self, after: int) -> None:
        self.now += after
        entry = Entry(len(self.entries), self.now, kinds.TICK, None, "", b"")
        self.entries.append(entry)
        self.course.apply(entry)

    def archive(self) -> str:
        outcome = self.course.outcome()
        assert outcome is not None
        store(self.id, self.course, outcome, self.entries)
        return self.id

    def safe(self, seat: int) -> list[int]:
        """Hidden cells of this seat's view that are no mine."""
        game = self.course.view(seat)["game"]
        mines = set(self.truth["mines"])
        hidden = {-1} if "width" in game else {20}
        return [c for c, code in enumerate(game["cells"]) if code in hidden and c not in mines]


def classic(name: str = "Ada") -> str:
    table = Table("classic", [name], {"width": 9, "height": 9, "mines": 10})
    table.act(0, "reveal", cell=40)
    table.act(0, "flag", cell=table.truth["mines"][0], on=True)
    while not table.over:
        table.act(0, "reveal", cell=table.safe(0)[0])
    return table.archive()


def race(*names: str) -> str:
    options = {"width": 9, "height": 9, "mines": 10}
    table = Table("race", list(names or ("Ada", "Grace")), options)
    for seat in (0, 1):
        table.act(seat, "ready")
    table.act(1, "reveal", cell=table.truth["mines"][0])
    while not table.over:
        table.act(0, "reveal", cell=table.safe(0)[0])
        if table.course.view(1)["game"]["players"][1]["locked_until"] < table.now - BEGIN:
            table.act(1, "reveal", cell=table.safe(1)[-1])
    return table.archive()


def area_attack(*names: str) -> str:
    options = {
        "size": 16,
        "freeze_seconds": 1,
        "attack_at_seconds": 8,
        "lock_at_seconds": 16,
        "lock_seconds": 6,
    }
    table = Table("area-attack", list(names or ("Ada", "Grace")), options)
    for seat, cell in ((0, 34), (1, 221)):
        table.act(seat, "pick", cell=cell)
        table.act(seat, "confirm")
    for turn in range(40):
        seat = turn % 2
        if table.over:
            break
        near = _touching(table, seat)
        if turn in (9, 24):
            near = [cell for cell in table.truth["mines"] if cell in _rim(table, seat)] or near
        if near:
            table.act(seat, "claim", cell=near[len(near) // 2])
    while not table.over:
        table.tick(5_000)
    return table.archive()


def _rim(table: Table, seat: int) -> set[int]:
    size = 16
    cells = table.course.view(seat)["game"]["cells"]
    own = [cell for cell, code in enumerate(cells) if code <= 8]
    rim = set()
    for cell in own:
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                x, y = cell % size + dx, cell // size + dy
                if 0 <= x < size and 0 <= y < size and cells[y * size + x] == 20:
                    rim.add(y * size + x)
    return rim


def _touching(table: Table, seat: int) -> list[int]:
    rim = _rim(table, seat)
    return [cell for cell in table.safe(seat) if cell in rim]


FLEET = [
    {"cell": 11, "length": 5, "vertical": False},
    {"cell": 38, "length": 4, "vertical": True},
    {"cell": 41, "length": 3, "vertical": False},
    {"cell": 73, "length": 3, "vertical": False},
    {"cell": 95, "length": 2, "vertical": False},
]


def battleship(*names: str) -> str:
    table = Table("battleship", list(names or ("Ada", "Grace")), {})
    for seat in (0, 1):
        table.act(seat, "place", ships=FLEET)
    ships = [
        ship["cell"] + step * (10 if ship["vertical"] else 1)
        for ship in FLEET
        for step in range(ship["length"])
    ]
    water = [cell for cell in range(100) if cell not in ships]
    for turn in range(len(ships)):
        table.act(0, "bomb", cell=ships[turn], after=900)
        table.act(1, "bomb", cell=(water if turn % 3 else ships)[turn], after=900)
    return table.archive()


ALL = {"classic": classic, "race": race, "area-attack": area_attack, "battleship": battleship}
