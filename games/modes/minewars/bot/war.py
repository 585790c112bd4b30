"""Taking land and cities, and holding one's own."""

from __future__ import annotations

from typing import Final

from games.modes.minewars.rules.tiles import KIND_MASK, MOUNTAIN

from .aim import FAR
from .desk import Desk, Proposal

PUSH: Final = 2
"""So many steps behind the front, land of an enemy is still worth a capture."""
PRIZE: Final = 5
"""Land beside a mountain seems so many steps nearer."""
HOME: Final = 3
"""So near to an own city, an enemy is driven out."""


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
        free = [c for c in lost if c in board.edge and not board.is_protected(c)]
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
    """Take land that the digits show to be empty, the nearest to the goal first. An enemy's land is
    taken where it leads to a city: taking the same border back and forth leads nowhere."""
    board, aim = desk.board, desk.aim
    safe = [c for c in _open_edge(desk) if c in board.safe]
    useful = [
        c for c in safe
        if not board.is_enemy(c) or aim.steps(c) <= aim.front + PUSH or is_near_home(desk, c)
    ]  # fmt: skip
    if not useful:
        return None

    def worth(cell: int) -> float:
        prize = PRIZE if any(_is_prize(desk, n) for n in board.topo.neighbours[cell]) else 0
        return aim.steps(cell) - prize + desk.random.random() * desk.skill.stray

    return desk.capture(min(useful, key=worth))


def _is_prize(desk: Desk, cell: int) -> bool:
    """A mountain that is not own yet: nothing earns more."""
    board = desk.board
    return board.codes[cell] & KIND_MASK == MOUNTAIN and cell not in board.own


def skirmish(desk: Desk) -> Proposal | None:
    """Any land of an enemy that is known to be empty."""
    safe = [c for c in _open_edge(desk) if c in desk.board.safe]
    return desk.capture(desk.random.choice(safe)) if safe else None


def is_near_home(desk: Desk, cell: int) -> bool:
    board = desk.board
    return any(board.topo.distance(board.cities[i], cell) <= HOME for i in desk.purse.cities)


def clear_the_way(desk: Desk, keep: int) -> Proposal | None:
    """Strike what lies between here and the goal: items that are known, and with them whatever
    beside them may hold one."""
    board, aim = desk.board, desk.aim
    edge = [c for c in _open_edge(desk) if aim.steps(c) < FAR and c not in board.safe]
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
    free = [c for c in left if c in board.edge and not board.is_protected(c)]
    safe = [c for c in free if c in board.safe]
    if safe:
        return desk.capture(desk.random.choice(safe))
    return desk.strike(left) if free else None


def guess(desk: Desk) -> Proposal | None:
    """The tile that is least likely to hold an item, unless that is still likely."""
    board = desk.board
    if desk.ordered & (board.safe | board.edge):
        return None  # what that shows comes before any guess
    risks = {c: board.risk(c) for c in _open_edge(desk) if c not in board.items}
    cell = min(risks, key=lambda c: (risks[c], desk.aim.steps(c)), default=None)
    return None if cell is None or risks[cell] > desk.skill.dares else desk.capture(cell)
