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
