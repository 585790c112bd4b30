"""Figures of a run, as a table and as a plot."""

from __future__ import annotations

from collections import Counter, defaultdict
from html import escape
from statistics import quantiles

TIMES = {
    "page": "a page",
    "lobby": "opening the lobby's socket",
    "wait": "from queueing to a match",
    "move": "a move until it is acknowledged",
}
WIDTH, HEIGHT, LEFT = 760, 150, 60


class Figures:
    def __init__(self, began: float) -> None:
        self.began = began
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        """By kind: seconds since the beginning, and milliseconds that it took."""

    def took(self, kind: str, at: float, milliseconds: float) -> None:
        self.times[kind].append((at - self.began, milliseconds))

    def table(self, minutes: float) -> str:
        lines = [f"{'':<36}{'number':>9}{'a second':>10}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}"]
        for kind, words in TIMES.items():
            found = sorted(took for _, took in self.times[kind])
            if len(found) > 1:
                cuts = quantiles(found, n=100)
                rate = len(found) / minutes / 60
                lines.append(
                    f"{words:<36}{len(found):>9,}{rate:>10,.1f}"
                    f"{cuts[49]:>9,.1f}{cuts[98]:>9,.1f}{found[-1]:>9,.0f}"
                )
        lines.append("")
        lines += [f"{name:<36}{number:>9,}" for name, number in sorted(self.counts.items())]
        lines += [f"error: {name:<29}{number:>9,}" for name, number in self.errors.most_common()]
        return "\n".join(lines)

    def plot(self) -> str:
        """The p99 of each second, a chart for each kind, as SVG."""
        charts = [
            _chart(words, self.times[kind], number)
            for number, (kind, words) in enumerate(
                (kind, words) for kind, words in TIMES.items() if self.times[kind]
            )
        ]
        height = HEIGHT * max(1, len(charts))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'font-family="system-ui, sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(charts)}</svg>\n'
        )


def _chart(title: str, times: list[tuple[float, float]], number: int) -> str:
    by_second: dict[int, list[float]] = defaultdict(list)
    for at, took in times:
        by_second[int(at)].append(took)
    worst = {s: sorted(found)[int(0.99 * (len(found) - 1))] for s, found in by_second.items()}
    last, most = max(max(worst), 1), max(*worst.values(), 1.0)
    top, bottom = number * HEIGHT + 30, (number + 1) * HEIGHT - 25

    def point(second: int, took: float) -> str:
        x = LEFT + (WIDTH - LEFT - 20) * second / last
        return f"{x:.1f},{bottom - (bottom - top) * took / most:.1f}"

    line = " ".join(point(second, took) for second, took in sorted(worst.items()))
    return (
        f'<text x="{LEFT}" y="{top - 10}" font-weight="bold">{escape(title)}: p99 by second</text>'
        f'<text x="{LEFT - 8}" y="{top + 10}" text-anchor="end">{most:,.0f} ms</text>'
        f'<text x="{LEFT - 8}" y="{bottom}" text-anchor="end">0</text>'
        f'<text x="{WIDTH - 20}" y="{bottom + 16}" text-anchor="end">{last} s</text>'
        f'<path d="M{LEFT} {top}V{bottom}H{WIDTH - 20}" fill="none" stroke="#999"/>'
        f'<polyline points="{line}" fill="none" stroke="#3b6ea5" stroke-width="1.5"/>'
    )
