"""Small plots as SVG paths, drawn by the server: they need no script and print well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 300, 80
_EDGE = 4


@dataclass(frozen=True, slots=True)
class Plot:
    """A line in a box of WIDTH x HEIGHT, with the values that its edges stand for."""

    path: str
    area: str
    end: tuple[float, float]
    low: float
    high: float
    width: int = WIDTH
    height: int = HEIGHT


def line(values: Sequence[float]) -> Plot:
    """The values from left to right, evenly spaced; at least two."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    step = (WIDTH - 2 * _EDGE) / (len(values) - 1)
    points = [
        (_EDGE + i * step, HEIGHT - _EDGE - (value - low) / span * (HEIGHT - 2 * _EDGE))
        for i, value in enumerate(values)
    ]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    area = f"{path}L{points[-1][0]:.1f} {HEIGHT}L{points[0][0]:.1f} {HEIGHT}Z"
    return Plot(path, area, points[-1], low, high)


@dataclass(frozen=True, slots=True)
class Bars:
    """A distribution as bars in a box of WIDTH x HEIGHT: the path of all, and for each its range
    and its number."""

    path: str
    counts: list[tuple[float, float, int]]
    low: float
    high: float
    most: int
    width: int = WIDTH
    height: int = HEIGHT


def bars(values: Sequence[float], number: int = 20) -> Bars:
    """How often the values lie in each of so many equal parts of their range; at least one value.
    The slowest twentieth shares the last bar, so that one long break doesn't flatten the rest."""
    ordered = sorted(values)
    low, high = ordered[0], ordered[-1 - len(ordered) // 20]
    step = (high - low) / number or 1.0
    counts = [0] * number
    for value in ordered:
        counts[min(number - 1, int((value - low) / step))] += 1
    most, wide = max(counts), WIDTH / number
    path = "".join(
        f"M{i * wide + 0.5:.1f} {HEIGHT}v{-count / most * HEIGHT:.1f}h{wide - 1:.1f}V{HEIGHT}Z"
        for i, count in enumerate(counts)
        if count
    )
    told = [(low + i * step, low + (i + 1) * step, count) for i, count in enumerate(counts)]
    return Bars(path, told, low, max(high, low), most)
