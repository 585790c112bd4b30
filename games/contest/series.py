"""Every player on the same boards, one game at a time, a fresh process for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.engine.grid import square8
from games.engine.rng import derive

from .cgroup import new_group
from .game import ContestGame, Result, WrongMove
from .link import MEMORY, Link, PlayerFailed
from .players import CannotTakePart, Player
from .sandbox import start
from .staging import staged

MAX_NAME = 64


class Asked(Protocol):
    def ask(self, question: Any, timeout: float) -> dict[str, Any]: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Rules:
    width: int = 10
    height: int = 10
    mines: int = 10
    games: int = 1
    turn_timeout: float = 5.0
    safe_first: bool = False
    load_timeout: float = 10.0
    """Seconds to start the process, load the file and make the object."""


@dataclass(slots=True)
class Record:
    """The games of one player."""

    name: str
    player: Player
    games: list[Result] = field(default_factory=list)

    @property
    def won(self) -> int:
        return sum(game.won for game in self.games)

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "file": self.player.shown,
            "won": self.won,
            "lost": len(self.games) - self.won,
            "games": [{"won": g.won, "reason": g.reason, "turns": g.turns} for g in self.games],
        }


def introduce(player: Player, rules: Rules) -> Record:
    """Ask the player for its name; raises CannotTakePart for a file that is no player.

    A player that fails before it told its name goes by that of its file, and loses its games."""
    link = connect(player)
    try:
        hello = link.ask(None, rules.load_timeout)
    except PlayerFailed:
        hello = {}
    finally:
        link.close()
    if isinstance(hello.get("unfit"), str):
        raise CannotTakePart("unfit", f"{player.shown}: {_shown(hello['unfit'])}")
    name = hello.get("name")
    if not isinstance(name, str) or not name.isascii() or not name.isprintable() or not name:
        name = _shown(player.path.stem)
    return Record(name[:MAX_NAME], player)


def connect(player: Player) -> Asked:
    if player.console:
        from .console import ConsoleLink

        return ConsoleLink()
    if player.trusted:
        return Link(start(player), sandboxed=False)
    group = new_group(MEMORY)
    try:
        return Link(start(player, group), group=group)
    except OSError:
        if group is not None:
            group.remove()
        raise


def play_all(
    players: Sequence[Player], rules: Rules, seed: bytes, on_game: Callable[[Record], None]
) -> list[Record]:
    """All games of all players, the best player first."""
    with ExitStack() as stack:
        copies = [stack.enter_context(staged(player)) for player in players]
        records = [introduce(player, rules) for player in copies]
        for number in range(rules.games):
            for record in records:
                record.games.append(play_one(record.player, rules, seed, number))
                on_game(record)
    return sorted(records, key=lambda record: -record.won)


def play_one(player: Player, rules: Rules, seed: bytes, number: int) -> Result:
    grid = square8(rules.width, rules.height)
    game = ContestGame(grid, rules.mines, derive(seed, f"game:{number}"), rules.safe_first)
    link = connect(player)
    try:
        hello = link.ask(None, rules.load_timeout)
        if "error" in hello or "name" not in hello:
            raise PlayerFailed(_reason(hello))
        while game.result is None:
            reply = link.ask(game.state(), rules.turn_timeout)
            if "move" not in reply:
                raise PlayerFailed(_reason(reply))
            game.play(reply["move"])
    except PlayerFailed as failure:
        game.lose(str(failure))
    except WrongMove as wrong:
        game.lose(f"wrong return: {wrong}")
    finally:
        link.close()
    assert game.result is not None
    return game.result


def _reason(reply: dict[str, Any]) -> str:
    """The reason why a reply is no move."""
    for kind, before in (("error", "crashed: "), ("wrong", "wrong return: "), ("unfit", "")):
        said = reply.get(kind)
        if isinstance(said, str):
            return before + _shown(said)
    return "sent something that is not a reply"


def _shown(said: str) -> str:
    """The words may be the player's own: only short ASCII gets to the terminal."""
    return "".join(c for c in said[:200] if c.isascii() and c.isprintable())
