"""Knowledge about one board: opened numbers, proven cells, and what each number still needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from .topology import Topology

UNKNOWN, SAFE, MINE, OPEN = range(4)

# up to this many cells, integers with a bit for every cell are quicker than cell by cell
WIDE = 4096
_DIGITS = [bytes([48 + (state == byte) for byte in range(256)]) for state in range(4)]


@lru_cache(maxsize=1 << 16)
def surroundings(states: tuple[int, ...]) -> tuple[int, int]:
    """The local mask of the undecided cells and the number of known mines among some states."""
    mask = sum([1 << i for i, state in enumerate(states) if state == UNKNOWN])
    return mask, states.count(MINE)


def _cells_in(status: bytearray, state: int) -> int:
    """The cells in one state as bits of an integer."""
    return int(status.translate(_DIGITS[state])[::-1] or b"0", 2)


def _listed(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class Contradiction(ValueError):
    """The numbers and marks given can't all be true of one board."""


class Knowledge:
    """The facts about a board and their direct consequences.

    A number is *active* while it has undecided neighbours: `hidden[number]` is their local mask
    (see Topology) and `need[number]` how many of them are mines. Work that the rules have yet to
    do is passed on in stages: `queue` (for the single-point rule), `touched` (for the subset rule)
    and `changed` (for the division into components). `vanished` tells that a number is not active
    any more: every number that shared its cells is in one of these stages.
    """

    __slots__ = (
        "changed",
        "hidden",
        "mines",
        "mines_left",
        "need",
        "queue",
        "safe",
        "status",
        "topology",
        "touched",
        "unknown",
        "vanished",
    )

    def __init__(self, topology: Topology, mines: int | None) -> None:
        size = topology.size
        self.topology = topology
        self.status = bytearray(size)
        self.need = [0] * size
        self.hidden = [0] * size
        self.safe: set[int] = set()
        self.mines: set[int] = set()
        self.mines_left = mines
        self.unknown = size
        self.vanished = False
        self.queue: set[int] = set()
        self.touched: set[int] = set()
        self.changed: set[int] = set()

    def copy(self) -> Knowledge:
        other = Knowledge.__new__(Knowledge)
        other.topology = self.topology
        other.status = self.status[:]
        other.need = self.need[:]
        other.hidden = self.hidden[:]
        other.safe = self.safe.copy()
        other.mines = self.mines.copy()
        other.mines_left = self.mines_left
        other.unknown = self.unknown
        other.vanished = self.vanished
        other.queue = self.queue.copy()
        other.touched = self.touched.copy()
        other.changed = self.changed.copy()
        return other

    def reveal(self, cell: int, number: int) -> None:
        status = self.status
        before = status[cell]
        if before == UNKNOWN:
            self.settle(cell, SAFE)
        elif before == MINE:
            raise Contradiction(f"cell {cell} is a mine and can't show {number}")
        status[cell] = OPEN
        self.safe.discard(cell)
        mask, mines = surroundings(self.topology.around[cell](status))
        need = number - mines
        self.need[cell] = need
        self.hidden[cell] = mask
        if mask:
            self.queue.add(cell)
        elif need:
            raise Contradiction(f"cell {cell} can't show {number}")

    def load(self, numbers: Mapping[int, int]) -> None:
        """Reveal many cells at once, before any other: much quicker than one by one."""
        status = self.status
        if not self.mines.isdisjoint(numbers):
            raise Contradiction("a cell is open and a mine")
        for cell in numbers:
            status[cell] = OPEN
        self.unknown = status.count(UNKNOWN)
        active: Iterable[int] = numbers
        if len(status) <= WIDE:
            mines, safe, active = self._peel(numbers)
            self._settled(mines, MINE)
            self._settled(safe, SAFE)
            self.unknown -= len(mines) + len(safe)
        need, hidden, around = self.need, self.hidden, self.topology.around
        for cell in active:
            mask, near = surroundings(around[cell](status))
            if mask:
                need[cell] = numbers[cell] - near
                hidden[cell] = mask
                self.queue.add(cell)
            elif numbers[cell] != near:
                raise Contradiction(f"cell {cell} can't show {numbers[cell]}")

    def _peel(self, numbers: Mapping[int, int]) -> tuple[list[int], list[int], list[int]]:
        """The mines and safe cells that single numbers prove, and the numbers not done with.

        Works on the whole board at once, as bits of long integers.
        """
        masks = self.topology.masks
        unknown = _cells_in(self.status, UNKNOWN)
        mines = _cells_in(self.status, MINE)
        proven = safe = 0
        active = list(numbers)
        while True:
            more = clear = 0
            left = []
            for cell in active:
                around = masks[cell]
                near = unknown & around
                need = numbers[cell]
                if mines:
                    need -= (mines & around).bit_count()
                size = near.bit_count()
                if 0 < need < size:
                    left.append(cell)
                elif need == size:
                    more |= near
                elif need == 0:
                    clear |= near
                else:
                    raise Contradiction(f"cell {cell} can't show {numbers[cell]}")
            if more & clear:
                raise Contradiction("a cell would be both safe and a mine")
            if not more | clear:
                return _listed(proven), _listed(safe), left
            active = left
            mines |= more
            proven |= more
            safe |= clear
            unknown &= ~(more | clear)

    def settle(self, cell: int, verdict: int) -> None:
        """Record that an undecided cell is SAFE or a MINE."""
        self.settle_all((cell,), verdict)

    def settle_all(self, cells: Iterable[int], verdict: int) -> None:
        """Record the verdict for those of the cells that are undecided."""
        status, hidden, need = self.status, self.hidden, self.need
        links, push = self.topology.links, self.queue.add
        settled = [cell for cell in cells if status[cell] == UNKNOWN]
        mine = verdict == MINE
        self._settled(settled, verdict)
        self.unknown -= len(settled)
        for cell in settled:
            for number, bit in links[cell]:
                if hidden[number]:
                    hidden[number] ^= bit
                    if mine:
                        need[number] -= 1
                    push(number)

    def _settled(self, cells: list[int], verdict: int) -> None:
        for cell in cells:
            self.status[cell] = verdict
        if verdict == MINE:
            self.mines.update(cells)
            if self.mines_left is not None:
                self.mines_left -= len(cells)
                if self.mines_left < 0:
                    raise Contradiction("more mines than the board has")
        else:
            self.safe.update(cells)
