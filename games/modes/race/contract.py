"""Race, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.contract.boards import board_action, random_deal, unlike
from games.engine.grid import square8


def options(random: Random) -> dict[str, Any]:
    width, height = random.randint(4, 8), random.randint(4, 8)
    raw: dict[str, Any] = {"width": width, "height": height}
    raw["mines"] = random.randint(1, min(width * height - 9, width * height // 4))
    raw["no_guess"] = random.random() < 0.5
    raw["limit_seconds"] = random.choice([10, 60, 600])
    raw["penalty_seconds"] = random.choice([1, 2, 10])
    return raw


def deal(random: Random, given: Any) -> bytes:
    return random_deal(random, square8(given.width, given.height), given.mines)


def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
    return board_action(random, state.game.runners[seat].board)


def perturb(random: Random, state: Any, viewer: int | None) -> bool:
    """Change what is under the cells that nobody has seen, what others have flagged, and which
    cells they have opened, as long as they are as many."""
    game = state.game
    others = [r for seat, r in enumerate(game.runners) if seat != viewer]
    changed = False
    field = unlike(random, game.field, [r.board for r in game.runners])
    if field is not None and game.began is not None:
        game.field = field
        for runner in game.runners:
            runner.board.field = field
        changed = True
    for runner in others:
        board = runner.board
        hidden = [c for c in range(game.field.grid.size) if board.is_hidden(c)]
        flags = set(random.sample(hidden, random.randint(0, len(hidden) // 2)))
        changed = changed or flags != board.flags
        board.flags = flags
        lonely = [c for c in range(game.field.grid.size) if _alone(game.field, c)]
        shut = [c for c in lonely if board.opened[c] and c != game.start]
        unopened = [c for c in lonely if not board.opened[c]]
        swaps = min(len(shut), len(unopened))
        for was, now in zip(
            random.sample(shut, swaps), random.sample(unopened, swaps), strict=True
        ):
            board.opened[was], board.opened[now] = 0, 1
            board.flags.discard(now)
            changed = True
    return changed


def _alone(field: Any, cell: int) -> bool:
    """A safe cell that no opening contains: only revealing it opens it."""
    if cell in field.mines or not field.numbers[cell]:
        return False
    return all(field.numbers[c] or c in field.mines for c in field.grid.neighbours[cell])


def quiet(random: Random, state: Any, viewer: int | None) -> list[dict[str, Any]]:
    """Anybody's flags, and the penalties running out."""
    size = state.game.field.grid.size
    entries: list[dict[str, Any]] = [{"k": "tick", "wait": random.randint(0, 5000)}]
    for seat in range(len(state.seats)):
        cell = random.randrange(size)
        if seat == viewer or state.game.runners[seat].board.is_hidden(cell):
            action = {"type": "flag", "cell": cell, "on": random.random() < 0.7}
            entries.append({"k": "action", "s": seat, "d": action})
    return entries
