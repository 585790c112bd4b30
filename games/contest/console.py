"""The supplied HumanPlayer: the one player that asks a person, in this process, at the terminal."""

from __future__ import annotations

from typing import Any

from games.contest.supplied.HumanPlayer import HumanPlayer


class ConsoleLink:
    """The same face as `link.Link`, without a process behind it."""

    def __init__(self) -> None:
        self._player: Any = HumanPlayer()

    def ask(self, question: Any, timeout: float) -> dict[str, Any]:
        if question is None:
            return {"name": self._player.name}
        try:
            return {"move": list(self._player.take_turn(question))}
        except (EOFError, KeyboardInterrupt):
            return {"error": "gave up"}

    def close(self) -> None:
        pass
