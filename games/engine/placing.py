"""From standings to places."""

from __future__ import annotations

from collections.abc import Sequence


def place(
    standing: Sequence[tuple[int, ...]], teams: Sequence[int], retired: Sequence[int | None]
) -> tuple[int, ...]:
    """The rank of every seat, 1 for the best; equal ones share a rank.

    A team is placed by the best key among its seats, and is out when all of its seats are. Teams
    that are out come behind all others, the last to go first.
    """
    keys: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for team in set(teams):
        seats = [i for i, t in enumerate(teams) if t == team]
        outs = [retired[i] for i in seats]
        still_in = any(out is None for out in outs)
        went = 0 if still_in else max(out for out in outs if out is not None)
        best = max(standing[i] for i in seats) if still_in else ()
        keys[team] = (int(still_in), went, best)
    return tuple(1 + sum(keys[t] > keys[team] for t in keys) for team in teams)
