"""From standings to places."""

from __future__ import annotations

from collections.abc import Sequence


def place(
    standing: Sequence[tuple[int, ...]], teams: Sequence[int], out: Sequence[int | None]
) -> tuple[int, ...]:
    """The rank of every seat, 1 for the best; equal ones share a rank.

    A team is placed by the best key among its seats, and is out when all of its seats are. Teams
    that are out come behind all others, the last to go first: `out` is None for a seat that is
    still in, and the greater the later it went.
    """
    keys: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for team in set(teams):
        seats = [i for i, t in enumerate(teams) if t == team]
        went = [out[i] for i in seats]
        still_in = any(each is None for each in went)
        last = 0 if still_in else max(each for each in went if each is not None)
        best = max(standing[i] for i in seats) if still_in else ()
        keys[team] = (int(still_in), last, best)
    return tuple(1 + sum(keys[t] > keys[team] for t in keys) for team in teams)
