"""Perfect matchings in general graphs, one augmenting path at a time (Edmonds' blossoms). Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

Allowed = Callable[[int, int], bool]


def augment(mate: dict[int, int], start: int, vertices: Sequence[int], allowed: Allowed) -> bool:
    """Match `start`, which is free, by an augmenting path that changes `mate`. False: there is
    none, and nothing is changed."""
    search = _Search(mate, start, vertices, allowed)
    end = search.run()
    if end is None:
        return False
    while True:
        before = search.parent[end]
        following = mate.get(before)
        mate[end], mate[before] = before, end
        if following is None:
            return True
        end = following


def complete(mate: dict[int, int], vertices: Sequence[int], allowed: Allowed) -> bool:
    """Extend this matching until it covers every vertex; False when none covers all."""
    for one in vertices:
        if one not in mate and not _greedy(mate, one, vertices, allowed):
            augment(mate, one, vertices, allowed)
    return all(one in mate for one in vertices)


def _greedy(mate: dict[int, int], one: int, vertices: Sequence[int], allowed: Allowed) -> bool:
    for other in vertices:
        if other != one and other not in mate and allowed(one, other):
            mate[one], mate[other] = other, one
            return True
    return False


class _Search:
    """A breadth-first search for a free vertex over alternating edges, contracting blossoms."""

    def __init__(
        self, mate: dict[int, int], start: int, vertices: Sequence[int], allowed: Allowed
    ) -> None:
        self.mate, self.start, self.vertices, self.allowed = mate, start, vertices, allowed
        self.parent: dict[int, int] = {}
        self.base = {one: one for one in vertices}
        self.reached = {start}
        self.queue = deque([start])

    def run(self) -> int | None:
        """The free vertex at the end of an augmenting path, or None."""
        while self.queue:
            at = self.queue.popleft()
            for to in self.vertices:
                if to == at or not self.allowed(at, to):
                    continue
                if self.base[at] == self.base[to] or self.mate.get(at) == to:
                    continue
                if to == self.start or self.mate.get(to) in self.parent:
                    self._contract(at, to)
                elif to not in self.parent:
                    self.parent[to] = at
                    if to not in self.mate:
                        return to
                    self._reach(self.mate[to])
        return None

    def _reach(self, one: int) -> None:
        if one not in self.reached:
            self.reached.add(one)
            self.queue.append(one)

    def _contract(self, one: int, other: int) -> None:
        common = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, common, other, inside)
        self._mark(other, common, one, inside)
        for vertex in self.vertices:
            if self.base[vertex] in inside:
                self.base[vertex] = common
                self._reach(vertex)

    def _common_base(self, one: int, other: int) -> int:
        seen = set()
        at = one
        while True:
            at = self.base[at]
            seen.add(at)
            if at not in self.mate or at == self.start:
                break
            at = self.parent[self.mate[at]]
        at = other
        while self.base[at] not in seen:
            at = self.parent[self.mate[self.base[at]]]
        return self.base[at]

    def _mark(self, at: int, common: int, child: int, inside: set[int]) -> None:
        while self.base[at] != common:
            inside.add(self.base[at])
            inside.add(self.base[self.mate[at]])
            self.parent[at] = child
            child = self.mate[at]
            at = self.parent[self.mate[at]]
