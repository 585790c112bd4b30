"""In which order the groups of a component are decided, and what the numbers need, as one integer.

The cells of a component are grouped by *signature*, the numbers they touch: the cells of a group
are interchangeable, so a group of m cells is one variable from 0 to m, x mines in it standing for
binomial(m, x) arrangements.

A *state* tells what every number still needs. Each number has a slot of a few bits, with a guard
bit on top that is set in every possible state: x mines in a group take `x * delta` off, which
lowers all needs around it at once, and a guard bit that is gone tells of a need below zero. `rooms`
holds how many cells are left to decide around each number after a group; taking a state off it
tells in the same way of a need that can't be met any more. So this checks all numbers at once:

    state & (room - state) & guard == guard
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import comb

# this many groups are taken as they come; for more it is worth looking for an order
FEW_GROUPS = 30
STARTS = 8


class _Binomials(dict[int, list[int]]):
    def __missing__(self, n: int) -> list[int]:
        row = self[n] = [comb(n, k) for k in range(n + 1)]
        return row


BINOMIALS = _Binomials()


class TooManyStates(Exception):
    """The component needs more states than allowed."""


class Agenda:
    """The groups in the order to decide them. All lists but `groups` itself follow that order.

    `groups` are the places of the groups as they were given, `start` is the state before the first
    one; `guard` is the state that needs nothing more. A state counts the mines of the groups that
    were given as `counted` from bit `top` on.
    """

    __slots__ = ("deltas", "groups", "guard", "rooms", "sizes", "start", "top")

    def __init__(
        self,
        sizes: Sequence[int],
        signatures: Sequence[Sequence[int]],
        needs: Mapping[int, int],
        counted: Collection[int] = (),
    ) -> None:
        self.groups: Sequence[int] = range(len(sizes))
        if len(sizes) > FEW_GROUPS:
            self.groups = arrange(sizes, signatures, needs)
            signatures = [signatures[g] for g in self.groups]
            sizes = [sizes[g] for g in self.groups]
        self.sizes = sizes
        around = dict.fromkeys(needs, 0)
        for size, signature in zip(sizes, signatures, strict=True):
            for number in signature:
                around[number] += size
        bits = max([1, *around.values(), *needs.values()]).bit_length()
        slot = bits + 1
        unit = {}
        place = 1
        ones = needed = room = 0
        for number, need in needs.items():
            unit[number] = place
            ones += place
            needed += need * place
            room += around[number] * place
            place <<= slot
        self.guard = ones << bits
        self.start = self.guard + needed
        room += 2 * self.guard
        self.top = len(needs) * slot
        if counted:
            # keeps the room above every state
            room += 1 << self.top + sum(sizes).bit_length()
        deltas = []
        rooms = []
        for size, signature in zip(sizes, signatures, strict=True):
            delta = 0
            for number in signature:
                delta += unit[number]
            room -= size * delta
            deltas.append(delta)
            rooms.append(room)
        if counted:
            for i, g in enumerate(self.groups):
                if g in counted:
                    deltas[i] -= 1 << self.top
        self.deltas = deltas
        self.rooms = rooms


def arrange(
    sizes: Sequence[int], signatures: Sequence[Sequence[int]], needs: Mapping[int, int]
) -> list[int]:
    """The groups in an order that leaves few numbers open at a time."""
    members = dict.fromkeys(needs, 0)
    for g, signature in enumerate(signatures):
        bit = 1 << g
        for number in signature:
            members[number] |= bit
    numbers = [number for number, mask in members.items() if mask]
    if not numbers:
        return list(range(len(sizes)))
    starts = [min(numbers, key=lambda n: members[n].bit_count())]
    starts += numbers[:: 1 + len(numbers) // STARTS]
    orders = [order(signatures, members, start) for start in starts]
    return min(orders, key=lambda o: expected_states(o, sizes, signatures, needs))


def order(signatures: Sequence[Sequence[int]], members: Mapping[int, int], start: int) -> list[int]:
    """Groups from a first number on: always finish the open number with least left to do."""
    left = dict(members)
    opened: set[int] = set()
    candidates = [start]
    found = [g for g, signature in enumerate(signatures) if not signature]
    done = 0
    while len(found) < len(signatures):
        if not candidates:  # nothing connects the rest with what is done
            candidates = [next(number for number, mask in left.items() if mask)]
        best = candidates[0]
        fewest = left[best].bit_count()
        for number in candidates:
            todo = left[number].bit_count()
            if todo < fewest:
                best, fewest = number, todo
        opened.add(best)
        batch: list[int] = []
        mask = left[best]
        done |= mask
        while mask:
            low = mask & -mask
            batch.append(low.bit_length() - 1)
            mask ^= low
        if len(batch) > 1:
            batch.sort(key=lambda g: sum([n not in opened for n in signatures[g]]))
        found += batch
        for g in batch:
            for number in signatures[g]:
                left[number] &= ~done
                if number not in opened:
                    opened.add(number)
                    candidates.append(number)
        candidates = [number for number in candidates if left[number]]
    return found


def expected_states(
    groups: Sequence[int],
    sizes: Sequence[int],
    signatures: Sequence[Sequence[int]],
    needs: Mapping[int, int],
) -> float:
    """A rough count of the states that an order leads to: the needs taken as independent."""
    room = dict.fromkeys(needs, 0)
    for size, signature in zip(sizes, signatures, strict=True):
        for number in signature:
            room[number] += size
    used = dict.fromkeys(needs, 0)
    values = dict.fromkeys(needs, 1)
    width = 1.0
    total = 0.0
    for g in groups:
        for number in signatures[g]:
            used[number] += sizes[g]
            room[number] -= sizes[g]
            need = needs[number]
            now = min(need, used[number]) - max(0, need - room[number]) + 1
            width *= now / values[number]
            values[number] = now
        total += width
    return total
