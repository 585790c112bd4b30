"""Classic, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.contract.boards import board_action, random_deal, unlike
from games.engine.grid import square8


def options(random: Random) -> dict[str, Any]:
    width, height = random.randint(2, 9), random.randint(2, 9)
    raw: dict[str, Any] = {"width": width, "height": height}
    raw["mines"] = random.randint(1, max(1, width * height // random.choice([2, 5, 8])))
    for key in ("safe_first", "no_guess"):
        if random.random() < 0.5:
            raw[key] = random.random() < 0.5
    return raw


def deal(random: Random, given: Any) -> bytes:
    return random_deal(random, square8(given.width, given.height), given.mines)


def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
    if random.random() < 0.03:
        return {"type": "hinted"}
    if state.game.first is None and state.game.start is not None and random.random() < 0.7:
        return {"type": "reveal", "cell": state.game.start}
    return board_action(random, state.game.board)


def perturb(random: Random, state: Any, viewer: int | None) -> bool:
    board = state.game.board
    field = unlike(random, board.field, [board])
    if field is None:
        return False
    board.field = field
    return True


def quiet(random: Random, state: Any, viewer: int | None) -> list[dict[str, Any]]:
    """Flags and refused actions tell nothing."""
    size = state.game.board.field.grid.size
    flags = [
        {"type": "flag", "cell": random.randrange(size), "on": random.random() < 0.7}
        for _ in range(3)
    ]
    actions = [*flags, {"type": "hinted"}, {"type": "reveal", "cell": size}]
    return [{"k": "action", "s": 0, "d": action} for action in actions]
