"""A line: the tickets that accept one game in one size, findable by age and by rating."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import pairwise

MOST_BUCKETS = 16
"""A window that spans more is as good as open: then the whole line is read by age."""


class Line:
    """Tickets are known by their rank and are added in its order: rank 0 has waited longest."""

    __slots__ = ("_buckets", "_width", "ratings")

    def __init__(self, width: float) -> None:
        """`width` is the span of ratings that share a bucket: about one window."""
        self._width = width
        self.ratings: dict[int, float] = {}
        """By rank, oldest first."""
        self._buckets: dict[int, dict[int, None]] = {}
        """The same ranks by rating; made when somebody first looks for them."""

    def add(self, rank: int, rating: float) -> None:
        self.ratings[rank] = rating

    def remove(self, rank: int) -> None:
        rating = self.ratings.pop(rank, None)
        if rating is not None and self._buckets:
            del self._buckets[int(rating // self._width)][rank]

    def hopeful(self, windows: Sequence[float]) -> set[int]:
        """The tickets that have another one within their own window: no other ticket can be
        matched now. `windows` is by rank."""
        found: set[int] = set()
        by_rating = sorted((rating, rank) for rank, rating in self.ratings.items())
        for (low, one), (high, other) in pairwise(by_rating):
            apart = high - low
            if apart <= windows[one]:
                found.add(one)
            if apart <= windows[other]:
                found.add(other)
        return found

    def near(self, rating: float, window: float) -> Iterator[int]:
        """All tickets within this window, and perhaps some that are not, oldest first."""
        if window * 2 > MOST_BUCKETS * self._width:
            return iter(self.ratings)
        if not self._buckets:
            for rank, own in self.ratings.items():
                self._buckets.setdefault(int(own // self._width), {})[rank] = None
        low, high = int((rating - window) // self._width), int((rating + window) // self._width)
        return merge(*(self._buckets[n] for n in range(low, high + 1) if n in self._buckets))
