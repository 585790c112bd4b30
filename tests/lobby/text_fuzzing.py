"""Strangers' bytes by the million: `python -m tests.lobby.text_fuzzing [count]`, or `make fuzz`.

Each parser of the text protocols gets random bytes and random changes of good ones, in every stage
of a conversation. No exception may escape, an error may change nothing, every answer is short text
of one line, and what a parser keeps stays small.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from itertools import pairwise
from random import Random

from games.contest.game import ContestGame, WrongMove
from games.contest.link import PlayerFailed, decode
from games.engine.grid import square8
from games.engine.rng import derive
from games.engine.text import CreateRoom, Say
from games.lines import LineSplitter
from games.manager.session import ManagerSession
from games.modes.area_attack.tests import test_area_attack_text as area_attack_stages
from games.modes.area_attack.text import session as area_attack
from games.modes.battleship.tests import test_battleship_text as battleship_stages
from games.modes.battleship.text import session as battleship

SEED = bytes(32)
ANSWER = 300
"""No answer to a bad line is longer."""
LONGEST = 600
PIECES = [
    b"", b" ", b"\n", b"\r\n", b"\x00", b"\t", b",", b"-", b"+", b".", b"0", b"9", b"10", b"-1",
    b"1" * 40, b"\xff", "é".encode(), "٣".encode(), "\u202e".encode(), b"A" * 300, b"[", b"]",
    b"{", b"}", b'"', b"null", b"true", b"1e999", b"NaN", b"{" * 50, b"%s", b"../", b"'; --",
]  # fmt: skip
GOOD = {
    "manager": [
        b"START", b"START --dimensions 4,4", b"PICK 1,2", b"pick 0,0", b"PICK 3 , 3",
        b"START --mines-spawning-rate 0.3 --dimensions 3,5", b"START --mines-spawning-rate 1",
    ],
    "battleship": [
        b"PLAY anna", b"PLAY,bert", b"SURR", b"QUIT", b"AGAN 1", b"AGAN,0", b"BOM1 37", b"AUTH abc",
        b"REDY " + battleship_stages.BOARD.encode(), b"bom1,00",
    ],
    "area-attack": [
        b"anna", b"g", b"npond\narea attack\n16\n.20", b"jpond", b"3\n4", b" 15 \n 0 ", b"\x00",
    ],
    "lines": [b"one\ntwo\r\n", b"\r\r\n", b"x" * 90 + b"\n", b"tail"],
    "contest": [
        b'{"move": [1, 2]}', b'{"move": [0, 0, true]}', b'{"move": [3, 3, false]}',
        b'{"wrong": "x"}', b'{"error": "ZeroDivisionError: x"}', b'{"name": "a"}', b"[]",
    ],
}  # fmt: skip


class Material:
    """Endless hostile inputs for one parser."""

    def __init__(self, parser: str, seed: object) -> None:
        self.random = Random(f"{parser} {seed}")
        self.good = GOOD[parser]

    def input(self) -> bytes:
        random = self.random
        dice = random.random()
        if dice < 0.15:
            return random.choice(self.good)
        if dice < 0.3:
            return random.randbytes(random.randint(0, 60))
        if dice < 0.45:
            return b"".join(random.choices(PIECES, k=random.randint(1, 6)))[:LONGEST]
        data = random.choice(self.good)
        for _ in range(random.randint(1, 3)):
            data = self._changed(data)
        return data[:LONGEST]

    def _changed(self, data: bytes) -> bytes:
        """With a piece put in, taken out, repeated, or a bit flipped."""
        random = self.random
        start = random.randint(0, len(data))
        end = min(len(data), start + random.randint(0, 4))
        how = random.randrange(5)
        if how == 0:
            return data[:start] + random.choice(PIECES) + data[start:]
        if how == 1:
            return data[:start] + data[end:]
        if how == 2:
            return data[:end] + data[start:]
        if how == 3 and start < len(data):
            flipped = data[start] ^ (1 << random.randrange(8))
            return data[:start] + bytes([flipped]) + data[start + 1 :]
        return data[:start] + random.choice(self.good)[:end] + data[start:]


def is_line(text: str) -> bool:
    return text.isprintable() and len(text) <= ANSWER


class Manager:
    """Games go on from one input to the next."""

    MANY_CELLS = 400

    def __init__(self) -> None:
        self.session = ManagerSession(lambda n: derive(SEED, f"grid:{n}"), lambda result: None)

    def take(self, data: bytes) -> bool:
        if self._is_large(data):
            return False
        session, before = self.session, self._state()
        answer = session.command(data)
        if answer[0] == "GRID":
            assert len(answer) <= 1004
            return True
        assert answer[0].startswith(("ERROR ", "UNKWOWN "))
        assert len(answer) == 1
        assert is_line(answer[0])
        assert self._state() == before
        return False

    def _is_large(self, data: bytes) -> bool:
        """A large grid is allowed, and takes its time; parsing is what is looked at here."""
        sides = [int(n) for n in re.findall(rb"[0-9]{1,4}", data)[:6]]
        return any(a * b > self.MANY_CELLS for a, b in pairwise(sides))

    def _state(self) -> object:
        board = self.session.board
        left = None if board is None else (id(board), board.left, board.struck)
        return self.session.picks, self.session.playing, left


class Battleship:
    """A conversation of a few lines in each stage in turn."""

    def __init__(self) -> None:
        self.count = 0
        self.session = battleship.Session()

    def take(self, data: bytes) -> bool:
        if self.count % 4 == 0:
            stages = list(battleship.Stage)
            self.session = battleship_stages.at(stages[self.count // 4 % len(stages)])
        self.count += 1
        session, before = self.session, _fields(self.session)
        steps = session.line(data)
        said = [step.text for step in steps if isinstance(step, Say)]
        if not said:
            return True
        assert len(steps) == 1
        assert said[0].startswith("ERRO ")
        assert said[0].isascii()
        assert is_line(said[0])
        assert _fields(session) == before
        return False


class AreaAttack:
    def __init__(self) -> None:
        self.count = 0
        self.session = area_attack.Session()

    def take(self, data: bytes) -> bool:
        if self.count % 4 == 0:
            stages = list(area_attack.Stage)
            self.session = area_attack_stages.at(stages[self.count // 4 % len(stages)])
        self.count += 1
        session, before = self.session, _fields(self.session)
        steps = session.frame(data.decode("utf-8", "replace"))
        said = [step.text for step in steps if isinstance(step, Say)]
        for step in steps:
            if isinstance(step, CreateRoom):
                assert 16 <= step.game["size"] <= 100
                assert 0.05 <= float(step.game["density"]) <= 0.35
        if not said:
            return True
        assert len(steps) == 1
        assert is_line(said[0].removeprefix("0\n0\nm"))
        assert _fields(session) == before
        return False


class Lines:
    """However the bytes arrive, at most `LIMIT` of them are kept."""

    LIMIT = 80

    def __init__(self) -> None:
        self.splitter = LineSplitter(self.LIMIT)

    def take(self, data: bytes) -> bool:
        found = self.splitter.feed(data)
        assert self.splitter.kept <= self.LIMIT
        for line in found:
            assert line is None or 0 < len(line) <= self.LIMIT
            assert line is None or not set(line) & set(b"\r\n")
        return bool(found)


class Contest:
    """Replies of a player's process, to a game that goes on until it is lost."""

    def __init__(self) -> None:
        self.games = 0
        self._renew()

    def _renew(self) -> None:
        rng = derive(SEED, f"game:{self.games}")
        self.game = ContestGame(square8(4, 4), 2, rng)
        self.games += 1

    def take(self, data: bytes) -> bool:
        if self.game.result is not None:
            self._renew()
        before, reason = self._state(), None
        try:
            self.game.play(decode(data).get("move"))
        except (PlayerFailed, WrongMove) as error:
            reason = str(error)
        assert reason is None or (is_line(reason) and self._state() == before)
        return reason is None

    def _state(self) -> object:
        return self.game.turns, self.game.board.left, len(self.game.board.flags)


PARSERS: dict[str, Callable[[], Manager | Battleship | AreaAttack | Lines | Contest]] = {
    "manager": Manager,
    "battleship": Battleship,
    "area-attack": AreaAttack,
    "lines": Lines,
    "contest": Contest,
}


def _fields(session: object) -> dict[str, object]:
    return dict(vars(session))


def fuzz(parser: str, count: int, seed: object = 0) -> int:
    """Try `count` inputs; returns the number of those that were taken. The rest was refused as it
    should be."""
    material, target = Material(parser, seed), PARSERS[parser]()
    taken = 0
    for _ in range(count):
        data = material.input()
        try:
            taken += target.take(data)
        except BaseException as error:
            error.add_note(f"{parser} was sent {data!r}")
            raise
    return taken


def main(count: int) -> None:
    for parser in PARSERS:
        print(f"{parser}: {count:,} inputs, {fuzz(parser, count):,} of them good", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
