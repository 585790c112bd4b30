"""Random play and hidden changes on `Board`, for the modes that have one per player."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from games.engine.board import Board
from games.engine.field import MineField
from games.engine.grid import Grid


def board_action(random: Random, board: Board) -> dict[str, Any]:
    """Mostly a safe reveal; sometimes a flag, a chord, a mine, or something not allowed."""
    size = board.field.grid.size
    dice = random.random()
    if dice < 0.08:
        return {"type": "reveal", "cell": random.randrange(-1, size + 1)}
    if dice < 0.25:
        cell = random.choice(sorted(board.field.mines)) if dice < 0.2 else random.randrange(size)
        return {"type": "flag", "cell": cell, "on": random.random() < 0.7}
    if dice < 0.45:
        opened = [c for c in range(size) if board.opened[c]]
        ready = [c for c in opened if board.chord(c)] or opened or [0]
        return {"type": "chord", "cell": random.choice(ready)}
    safe = [c for c in range(size) if not board.opened[c] and c not in board.field.mines]
    return {"type": "reveal", "cell": random.choice(safe or [0])}


def unlike(random: Random, field: MineField, boards: list[Board]) -> MineField | None:
    """Another field that looks the same on all these boards: mines swapped with safe cells, all
    hidden and beside no open cell."""
    grid = field.grid
    seen = {
        near
        for board in boards
        for cell in range(grid.size)
        if board.opened[cell]
        for near in (cell, *grid.neighbours[cell])
    }
    seen.update(cell for board in boards for cell in board.struck)
    mines = sorted(field.mines - seen)
    safe = [c for c in range(grid.size) if c not in seen and c not in field.mines]
    swaps = min(len(mines), len(safe), random.randint(1, 4))
    if not swaps:
        return None
    gone = random.sample(mines, swaps)
    return MineField(grid, (field.mines - set(gone)) | set(random.sample(safe, swaps)))


def random_deal(random: Random, grid: Grid, mines: int) -> bytes:
    """Any board as a deal, every third time; else none."""
    if random.random() > 0.34:
        return b""
    cells = random.sample(range(grid.size), mines + 1)
    return json.dumps({"mines": cells[1:], "start": cells[0]}).encode()
