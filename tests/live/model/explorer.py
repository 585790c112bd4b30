"""All schedules up to a length, each state once."""

from __future__ import annotations

import pickle
from collections import deque
from dataclasses import dataclass
from hashlib import blake2b

from tests.live.model.process import Broken
from tests.live.model.world import Step, World


@dataclass(frozen=True)
class Explored:
    states: int
    depth: int
    """The length of the longest schedules that were all tried."""
    complete: bool
    """There are no states beyond those."""


class Found(AssertionError):
    """A schedule that breaks a promise."""

    def __init__(self, broken: Broken, schedule: list[Step]) -> None:
        lines = "\n".join(" ".join(map(str, step)) for step in schedule)
        super().__init__(f"{broken}, after:\n{lines}")
        self.schedule = schedule


def explore(world: World, states: int) -> Explored:
    """Breadth first, so that what is found is short. From every state everybody comes to rest once,
    and all promises are checked. Raises Found."""
    first = pickle.dumps(world)
    seen = {_digest(first)}
    queue: deque[tuple[bytes, list[Step]]] = deque([(first, [])])
    depth = 0
    while queue:
        state, schedule = queue.popleft()
        depth = len(schedule)
        for step in pickle.loads(state).steps():
            longer = [*schedule, step]
            try:
                following = pickle.loads(state)
                following.do(step)
                reached = pickle.dumps(following)
                if (digest := _digest(reached)) in seen:
                    continue
                seen.add(digest)
                following.finish()
            except Broken as broken:
                raise Found(broken, longer) from broken
            if len(seen) >= states:
                return Explored(len(seen), depth, complete=False)
            queue.append((reached, longer))
    return Explored(len(seen), depth, complete=True)


def _digest(state: bytes) -> bytes:
    return blake2b(state, digest_size=12).digest()
