"""Every player on the same boards, one game at a time, a fresh process for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from games.engine.grid import square8
from games.engine.rng import derive

from .game import ContestGame, Result, WrongMove
from .link import Link, PlayerFailed
from .players import CannotTakePart, Player
from .sandbox import start

LOAD_SECONDS = 10.0


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


@dataclass(slots=True)
class Record:
    """What one player did."""

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


def introduce(player: Player) -> Record:
    """Ask the player for its name; raises CannotTakePart, with the file named."""
    link = connect(player)
    try:
        hello = link.ask(None, LOAD_SECONDS)
    except PlayerFailed as failure:
        raise CannotTakePart(f"{player.shown}: {failure}") from failure
    finally:
        link.close()
    name = hello.get("name")
    if not isinstance(name, str) or not name.isascii() or not name.isprintable():
        unfit = hello.get("unfit")
        why = _shown(unfit) if isinstance(unfit, str) else "it has no name"
        raise CannotTakePart(f"{player.shown}: {why}")
    return Record(name, player)


def connect(player: Player) -> Asked:
    if player.console:
        from .console import ConsoleLink

        return ConsoleLink()
    return Link(start(player))


def play_all(
    players: Sequence[Player], rules: Rules, seed: bytes, on_game: Callable[[Record], None]
) -> list[Record]:
    """All games of all players, the best player first."""
    records = [introduce(player) for player in players]
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
        link.ask(None, LOAD_SECONDS)
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
    """Why a reply is no move."""
    for kind, before in (("error", "crashed: "), ("wrong", "wrong return: ")):
        said = reply.get(kind)
        if isinstance(said, str):
            return before + _shown(said)
    return "sent something that is not a reply"


def _shown(said: str) -> str:
    """The words may be the player's own: only short ASCII gets to the terminal."""
    return "".join(c for c in said[:200] if c.isascii() and c.isprintable())
