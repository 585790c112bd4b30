"""Counting the solutions of one component exactly, by dynamic programming along its frontier.

The cells of a component are grouped by *signature*, the set of numbers they touch: the cells of a
group are interchangeable, so a group of m cells is one variable from 0 to m, x mines in it standing
for binomial(m, x) arrangements. Groups are decided one after another; what matters of the past is
only what the numbers still open need, so partial solutions with equal needs are merged.

Solutions are counted by their number of mines: a count is a polynomial whose k-th coefficient
belongs to k mines, packed into one integer (`width` bits for each coefficient), so that adding and
multiplying polynomials is adding and multiplying integers, and every count is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

# few groups are taken as they come; for many it is worth trying an order from several starts
FEW_GROUPS = 10
MANY_GROUPS = 40
STARTS = 8


class _Binomials(dict[int, list[int]]):
    def __missing__(self, n: int) -> list[int]:
        row = self[n] = [comb(n, k) for k in range(n + 1)]
        return row


BINOMIALS = _Binomials()


class TooManyStates(Exception):
    """The component needs more states than allowed."""


Option = tuple[int, int, int]  # change of the state, arrangements, mines


class Step:
    """The decision of one group: which needs it lowers, and what that leaves possible."""

    __slots__ = (
        "_high",
        "_low",
        "_open",
        "_options",
        "choices",
        "group",
        "relevant",
        "size",
    )

    def __init__(
        self,
        group: int,
        options: list[Option],
        bounds: tuple[int, int],
        relevant: int,
        open_numbers: list[tuple[int, int]],
    ) -> None:
        self.group = group
        self.size = len(options) - 1
        self.relevant = relevant
        self._options = options
        self._low, self._high = bounds
        self._open = open_numbers
        self.choices: dict[int, list[Option]] = {}

    def choose(self, part: int, slot_mask: int) -> list[Option]:
        """What the group may get when the relevant part of the state is this; remembered."""
        low, high = self._low, self._high
        for shift, room in self._open:
            need = part >> shift & slot_mask
            if need < high:
                high = need
            if need - room > low:
                low = need - room
        found = self.choices[part] = self._options[low : high + 1]
        return found


def order(touching: list[list[int]], members: Sequence[int], start: int) -> list[int]:
    """Groups in the order to decide them: always finish the open number with least left to do."""
    left = list(members)
    opened: set[int] = set()
    candidates = [start]
    found: list[int] = []
    done = 0
    while len(found) < len(touching):
        if not candidates:  # nothing connects the rest with what is done
            candidates = [next(c for c, mask in enumerate(left) if mask)]
        best = candidates[0]
        fewest = left[best].bit_count()
        for c in candidates:
            todo = left[c].bit_count()
            if todo < fewest:
                best, fewest = c, todo
        opened.add(best)
        batch: list[int] = []
        mask = left[best]
        done |= mask
        while mask:
            low = mask & -mask
            batch.append(low.bit_length() - 1)
            mask ^= low
        if len(batch) > 1:
            batch.sort(key=lambda g: sum([c not in opened for c in touching[g]]))
        found += batch
        for g in batch:
            for c in touching[g]:
                left[c] &= ~done
                if c not in opened:
                    opened.add(c)
                    candidates.append(c)
        candidates = [c for c in candidates if left[c]]
    return found


def expected_states(
    groups: list[int], sizes: Sequence[int], touching: list[list[int]], needs: Sequence[int]
) -> float:
    """A rough count of the states that an order leads to: the needs taken as independent."""
    room = [0] * len(needs)
    for g, around in enumerate(touching):
        for c in around:
            room[c] += sizes[g]
    used = [0] * len(needs)
    values = [1] * len(needs)
    width = 1.0
    total = 0.0
    for g in groups:
        for c in touching[g]:
            used[c] += sizes[g]
            room[c] -= sizes[g]
            need = needs[c]
            now = min(need, used[c]) - max(0, need - room[c]) + 1
            width *= now / values[c]
            values[c] = now
        total += width
    return total


def plan(
    sizes: Sequence[int],
    members: Sequence[int],
    needs: Sequence[int],
    counter: int = -1,
) -> tuple[list[Step], int, int]:
    """Order the groups so that few numbers are open at a time, and prepare each step.

    `members[c]` is the bit mask of the groups around constraint c. The constraint `counter` is
    not to be met: its slot counts the mines around it and stays until the end. Returns the steps,
    the mask of one slot of the packed state and the place of the counter's slot.
    """
    slot_bits = max(4, max(needs).bit_length())
    slot_mask = (1 << slot_bits) - 1
    count = len(members)
    touching: list[list[int]] = [[] for _ in sizes]
    for c, mask in enumerate(members):
        while mask:
            low = mask & -mask
            touching[low.bit_length() - 1].append(c)
            mask ^= low
    if len(sizes) <= FEW_GROUPS:
        groups = list(range(len(sizes)))
    else:
        start = min(range(count), key=lambda c: members[c].bit_count())
        groups = order(touching, members, start)
    if len(groups) >= MANY_GROUPS:
        orders = [groups]
        for other in range(0, count, 1 + count // STARTS):
            orders.append(order(touching, members, other))
        groups = min(orders, key=lambda o: expected_states(o, sizes, touching, needs))
    room = [0] * count
    last = [0] * count
    for i, g in enumerate(groups):
        for c in touching[g]:
            room[c] += sizes[g]
            last[c] = i
    shifts: dict[int, int] = {}
    free: list[int] = []
    slots = 0
    steps: list[Step] = []
    for i, g in enumerate(groups):
        size = sizes[g]
        least, most = 0, size
        add = delta = relevant = 0
        open_numbers: list[tuple[int, int]] = []
        for c in touching[g]:
            room[c] -= size
            shift = shifts.get(c, -1)
            if c == counter:
                if shift < 0:
                    shift = shifts[c] = slots * slot_bits
                    slots += 1
                delta -= 1 << shift
                continue
            if shift < 0:
                if free:
                    shift = free.pop()
                else:
                    shift = slots * slot_bits
                    slots += 1
                shifts[c] = shift
                need = needs[c]
                add += need << shift
                most = min(most, need)
                least = max(least, need - room[c])
            else:
                open_numbers.append((shift, room[c]))
                relevant |= slot_mask << shift
            delta += 1 << shift
        options = [(add - x * delta, ways, x) for x, ways in enumerate(BINOMIALS[size])]
        steps.append(Step(g, options, (least, most), relevant, open_numbers))
        for c in touching[g]:
            if last[c] == i and c != counter:
                free.append(shifts[c])
    return steps, slot_mask, shifts.get(counter, 0)


class Packed:
    """The solutions of a component: `total` by their number of mines, and for each group.

    `forced[g]` is the fewest and the most mines of group g over all solutions.
    """

    __slots__ = ("cells", "forced", "sampled", "total", "width")

    def __init__(
        self,
        cells: int,
        width: int,
        total: int,
        forced: list[tuple[int, int]],
        sampled: bool = False,
    ) -> None:
        self.cells = cells
        self.width = width
        self.total = total
        self.forced = forced
        self.sampled = sampled

    def weights(self) -> list[int]:
        """For each group: its mines summed over all solutions, by the solution's mines; packed."""
        raise NotImplementedError

    def unpack(self, packed: int, first: int, last: int) -> list[int]:
        """The coefficients for `first` to `last` mines."""
        width = self.width
        mask = (1 << width) - 1
        packed >>= first * width
        found = []
        for _ in range(first, last + 1):
            found.append(packed & mask)
            packed >>= width
        return found

    def range(self) -> tuple[int, int]:
        """The fewest and the most mines that a solution has."""
        low = (self.total & -self.total).bit_length() - 1
        return low // self.width, (self.total.bit_length() - 1) // self.width


class Counts(Packed):
    """All solutions of a component, counted exactly."""

    __slots__ = ("_backward", "_forward", "_steps", "_weights", "states")

    def __init__(
        self, sizes: Sequence[int], members: Sequence[int], needs: Sequence[int], cap: int
    ) -> None:
        """Raises TooManyStates rather than go through more than `cap` states."""
        steps, slot_mask, _ = plan(sizes, members, needs)
        cells = sum(sizes)
        # every coefficient is below 2**cells times the size of a group
        width = cells + max(sizes).bit_length() + 1
        self._steps = steps
        layer: dict[int, int] = {0: 1}
        forward = [layer]
        states = 1
        for step in steps:
            relevant, choices = step.relevant, step.choices
            following: dict[int, int] = {}
            get = following.get
            for state, ways in layer.items():
                part = state & relevant
                options = choices.get(part)
                if options is None:
                    options = step.choose(part, slot_mask)
                for change, factor, mines in options:
                    after = state + change
                    if mines:
                        following[after] = get(after, 0) + (ways * factor << mines * width)
                    else:
                        following[after] = get(after, 0) + ways
            layer = following
            forward.append(layer)
            states += len(layer)
            if states > cap:
                raise TooManyStates
        self.states = states
        self._forward = forward
        self._backward: list[dict[int, int]] = []
        self._weights: list[int] | None = None
        forced = self._backtrack(len(sizes), width)
        super().__init__(cells, width, layer.get(0, 0), forced)

    def _backtrack(self, groups: int, width: int) -> list[tuple[int, int]]:
        following: dict[int, int] = {0: 1} if self._forward[-1] else {}
        backward = [following]
        forced = [(0, 0)] * groups
        for step, layer in zip(reversed(self._steps), reversed(self._forward[:-1]), strict=True):
            relevant, choices = step.relevant, step.choices
            ways_on: dict[int, int] = {}
            get = following.get
            fewest, most = step.size, 0
            for state in layer:
                ways = 0
                for change, factor, mines in choices[state & relevant]:
                    rest = get(state + change)
                    if rest is not None:
                        if mines:
                            ways += rest * factor << mines * width
                            if mines > most:
                                most = mines
                        else:
                            ways += rest
                        if mines < fewest:
                            fewest = mines
                if ways:
                    ways_on[state] = ways
            forced[step.group] = fewest, most
            following = ways_on
            backward.append(ways_on)
        backward.reverse()
        self._backward = backward
        return forced

    def weights(self) -> list[int]:
        if self._weights is not None:
            return self._weights
        width = self.width
        found = [0] * len(self._steps)
        for i, step in enumerate(self._steps):
            fewest, most = self.forced[step.group]
            if most == 0:
                continue
            if fewest == step.size:
                found[step.group] = self.total * fewest
                continue
            relevant, choices = step.relevant, step.choices
            get = self._backward[i + 1].get
            alive = self._backward[i]
            before = self._forward[i]
            summed = 0
            for state in alive:
                part = 0
                for change, factor, mines in choices[state & relevant]:
                    if mines:
                        rest = get(state + change)
                        if rest is not None:
                            part += rest * (factor * mines) << mines * width
                if part:
                    summed += before[state] * part
            found[step.group] = summed
        self._weights = found
        self._forward = []
        self._backward = []
        return found
