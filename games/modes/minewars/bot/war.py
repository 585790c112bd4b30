"""Taking land and cities, and holding one's own."""

from __future__ import annotations

from typing import Final

from .aim import FAR
from .desk import Desk, Proposal

WORST_GUESS: Final = 0.4
"""It would rather strike or wait than step on a tile that has an item more likely than this."""


def _open_edge(desk: Desk) -> list[int]:
    board = desk.board
    return [c for c in board.edge if c not in desk.ordered and not board.is_protected(c)]


def hold_cities(desk: Desk) -> Proposal | None:
    """Take back what others hold around an own city; strike it first if it may be mined."""
    board = desk.board
    for number in desk.purse.cities:
        lost = [c for c in board.ring(number) if board.is_enemy(c)]
        if not lost or desk.random.random() > desk.skill.defends:
            continue
        if desk.ordered & set(lost):
            return None  # its effect comes first
        free = [c for c in lost if not board.is_protected(c)]
        cell = min(free, key=board.risk, default=None)
        besieged = desk.game["sieges"][number] is not None
        if cell is not None and board.risk(cell) < 0.2:
            return desk.capture(cell)
        if struck := desk.strike(free or (lost if besieged else [])):
            return struck
        if besieged and cell is not None and cell not in board.items:
            return desk.capture(cell)  # without money a gamble is better than to lose the city
    return None


def take_safe_land(desk: Desk) -> Proposal | None:
    """What the digits show to be empty, the nearest to the goal first."""
    board = desk.board
    safe = [c for c in _open_edge(desk) if c in board.safe]
    if not safe:
        return None
    if not desk.skill.aims:
        return desk.capture(desk.random.choice(safe))
    bonus = 1 + 3 * desk.character.aggression

    def worth(cell: int) -> float:
        jitter = desk.random.random() * 2
        return desk.aim.steps(cell) - (bonus if board.is_enemy(cell) else 0) + jitter

    return desk.capture(min(safe, key=worth))


def clear_the_way(desk: Desk, keep: int) -> Proposal | None:
    """Strike what lies between here and the goal: items that are known, and with them whatever
    beside them may hold one."""
    board, aim = desk.board, desk.aim
    edge = [c for c in board.edge if c not in desk.ordered and not board.is_protected(c)]
    if not desk.skill.aims:
        known = [c for c in edge if c in board.items]
        return desk.strike([desk.random.choice(known)], keep) if known else None
    edge = [c for c in edge if aim.steps(c) < FAR and c not in board.safe]
    if not edge:
        return None
    first = min(edge, key=lambda c: (aim.steps(c), -board.risk(c)))
    around = [n for n in board.topo.neighbours[first] if board.is_land(n) and n not in board.safe]
    around.sort(key=aim.steps)
    return desk.strike([first, *around], keep)


def storm_city(desk: Desk) -> Proposal | None:
    """Close the ring around the city that the bot goes for: at least half of it is own."""
    board, target = desk.board, desk.aim.target
    if target is None:
        return None
    ring = board.ring(target)
    left = [c for c in ring if board.owner(c) != board.me]
    if not left or 2 * len(left) > len(ring) or desk.ordered & set(left):
        return None
    beside = set(board.edge)
    free = [c for c in left if c in beside and not board.is_protected(c)]
    safe = [c for c in free if c in board.safe]
    if safe:
        return desk.capture(desk.random.choice(safe))
    return desk.strike(left) if free else None


def smoke_defenders(desk: Desk) -> Proposal | None:
    """While a siege of the bot's runs, hide the digits from which its mines could be read."""
    board = desk.board
    if not desk.is_ready("smoke"):
        return None
    for number, siege in enumerate(desk.game["sieges"]):
        if siege is None or siege[0] != board.me:
            continue
        mined = [c for c in board.ring(number) if board.has_item(c)]
        for cell in (n for c in mined for n in board.topo.neighbours[c]):
            if board.is_enemy(cell) and board.is_land(cell) and not board.is_smoked(cell):
                paid = desk.purse.can_pay(desk.rules.smoke_cost, [cell], 600)
                if paid and cell not in desk.ordered:
                    return {"type": "smoke", "cell": cell}
    return None


def reveal_the_way(desk: Desk) -> Proposal | None:
    """With much more money than there is use for: look at the tile that blocks the way."""
    board, aim = desk.board, desk.aim
    if not desk.is_ready("reveal"):
        return None
    doubtful = [
        c for c in board.edge
        if c not in desk.ordered and board.is_limited(c) and 0 < board.risk(c) < 1
    ]  # fmt: skip
    cell = min(doubtful, key=aim.steps, default=None)
    if cell is None or not desk.purse.can_pay(desk.rules.reveal_cost, [cell], 2000):
        return None
    return {"type": "reveal", "cell": cell}


def guess(desk: Desk) -> Proposal | None:
    """The tile that is least likely to hold an item, unless that is still likely."""
    board = desk.board
    if desk.ordered & (board.safe | set(board.edge)):
        return None  # what that shows comes before any guess
    risks = {c: board.risk(c) for c in _open_edge(desk) if c not in board.items}
    cell = min(risks, key=lambda c: (risks[c], desk.aim.steps(c)), default=None)
    return None if cell is None or risks[cell] > WORST_GUESS else desk.capture(cell)
