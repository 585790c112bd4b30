"""Looking, hiding and remembering: reveals, smoke and flags."""

from __future__ import annotations

from typing import Final

from .desk import Desk, Proposal

SPARE: Final = 200
"""Hundredths of a unit that stay for strikes."""
FLAGS: Final = 15


def reveal_the_way(desk: Desk) -> Proposal | None:
    """Look at the tile that blocks the way, where the digits leave it open."""
    board, aim = desk.board, desk.aim
    if not desk.is_ready("reveal"):
        return None
    doubtful = [
        c for c in board.edge
        if aim.steps(c) <= aim.front + 1
        and c not in desk.ordered
        and board.is_limited(c)
        and 0.15 < board.risk(c) < 0.85
    ]  # fmt: skip
    cell = min(doubtful, key=aim.steps, default=None)
    if cell is None or not desk.purse.can_pay(desk.rules.reveal_cost, [cell], SPARE):
        return None
    return {"type": "reveal", "cell": cell}


def smoke_defenders(desk: Desk) -> Proposal | None:
    """Hide the digits from which an enemy could read the bot's mines: where it lays siege, and
    where it is about to."""
    board, aim = desk.board, desk.aim
    if not desk.is_ready("smoke"):
        return None
    mined = [c for c in board.border if board.has_item(c)]
    close = [c for c in mined if aim.steps(c) <= 4]
    for cell in (n for c in close for n in board.topo.neighbours[c]):
        if (
            board.is_enemy(cell)
            and board.is_land(cell)
            and not board.is_smoked(cell)
            and cell not in desk.ordered
            and desk.purse.can_pay(desk.rules.smoke_cost, [cell], SPARE)
        ):
            return {"type": "smoke", "cell": cell}
    return None


def flag_items(desk: Desk) -> Proposal | None:
    """Mark what is proven to be an item, and take the mark away where there is none any more."""
    board = desk.board
    flags = [c for c, code in enumerate(board.codes) if code >> 28 & 1]
    for cell in flags:
        if cell in board.own or cell in board.safe:
            return {"type": "flag", "cell": cell, "on": False}
    new = [c for c in board.items if not board.is_flagged(c) and not board.is_enemy(c)]
    if not new or len(flags) >= FLAGS:
        return None
    return {"type": "flag", "cell": min(new, key=desk.aim.steps), "on": True}
