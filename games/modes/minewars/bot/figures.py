"""The figures of simulated matches: tables, verdicts on the aims of balance, and a plot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import quantiles
from typing import Final

from .simulation import Report

SHORTEST, LONGEST = 6, 12
"""Minutes that the median of a Duel between equals should be between."""
AT_LIMIT: Final = 5
AHEAD: Final = 65
STRONGER: Final = 90
USED: Final = 50
ACTIONS: Final = (
    "capture",
    "strike",
    "reveal",
    "smoke",
    "mine",
    "decoy",
    "flashbang",
    "road",
    "barricade",
    "tower",
    "bridge",
    "cancel",
    "bulldoze",
    "harvest",
    "flag",
)
"""The actions that strong bots should use."""


def percent(hits: Iterable[bool]) -> float:
    found = list(hits)
    return 100 * sum(found) / len(found) if found else 0.0


def minutes(reports: Sequence[Report]) -> tuple[float, float, float]:
    """The quartiles of the matches' lengths."""
    found = sorted(report.milliseconds / 60_000 for report in reports)
    low, middle, high = quantiles(found, n=4, method="inclusive") if found[1:] else found * 3
    return low, middle, high


def at_limit(reports: Sequence[Report]) -> float:
    return percent(report.reason == "time" for report in reports)


def ahead_wins(reports: Sequence[Report]) -> float:
    """The share of matches that the side with more tiles at first contact wins."""
    return percent(
        report.ranks[report.tiles_at_contact.index(max(report.tiles_at_contact))] == 1
        for report in reports
        if len(set(report.tiles_at_contact)) > 1
    )


def uses(reports: Sequence[Report], kind: str) -> list[int]:
    """The uses of this action by both sides together, per match."""
    return [sum(n for (_, k), n in r.actions.items() if k == kind) for r in reports]


def thinking(reports: Iterable[Report]) -> tuple[float, float, float]:
    """Milliseconds that a decision takes: the median, the 99th percentile, the longest."""
    total: Counter[int] = Counter()
    for report in reports:
        total.update(report.thinking)
    left = [total.total() * 0.5, total.total() * 0.99]
    found = []
    seen = 0
    for took, n in sorted(total.items()):
        seen += n
        while left and seen >= left[0]:
            left.pop(0)
            found.append(took / 100)
    return found[0], found[1], max(total) / 100


def table(strengths: tuple[int, int], reports: Sequence[Report]) -> list[str]:
    """The figures of a pairing, in Markdown."""
    a, b = strengths
    low, middle, high = minutes(reports)
    half, most, longest = thinking(reports)
    lines = [
        f"\n{a} against {b}, {len(reports)} matches\n",
        "| figure | value |",
        "|---|---|",
        f"| length, median (quartiles) | {middle:.1f} min ({low:.1f} to {high:.1f}) |",
        f"| at the time limit | {at_limit(reports):.1f} % |",
        f"| {'the stronger' if a != b else 'the first'} wins | {_wins(strengths, reports):.1f} % |",
        f"| more tiles at first contact wins | {ahead_wins(reports):.1f} % |",
        f"| refused orders | {sum(len(r.refused) for r in reports)} |",
        f"| a decision takes (median, 99 %, longest) | {half:.2f}, {most:.2f}, {longest:.2f} ms |",
    ]
    kinds = {kind for report in reports for _, kind in report.actions}
    for kind in sorted(kinds):
        found = uses(reports, kind)
        share = percent(map(bool, found))
        lines.append(f"| {kind} | {sum(found) / len(found):.1f} a match, in {share:.0f} % |")
    return lines


def _wins(strengths: tuple[int, int], reports: Sequence[Report]) -> float:
    side = 0 if strengths[0] >= strengths[1] else 1
    return percent(r.ranks[side] == 1 for r in reports)


def verdicts(strengths: tuple[int, int], reports: Sequence[Report]) -> list[str]:
    """Each aim that this pairing can tell of: what it is, what was found, met or missed."""
    aims: list[tuple[str, str, bool]] = []
    if strengths[0] == strengths[1]:
        middle, late, ahead = minutes(reports)[1], at_limit(reports), ahead_wins(reports)
        aims = [
            (
                f"median {SHORTEST} to {LONGEST} min",
                f"{middle:.1f} min",
                SHORTEST <= middle <= LONGEST,
            ),
            (f"at most {AT_LIMIT} % at the time limit", f"{late:.1f} %", late <= AT_LIMIT),
            (
                f"more tiles at first contact wins at most {AHEAD} %",
                f"{ahead:.1f} %",
                ahead <= AHEAD,
            ),
        ]
    if strengths == (1500, 1500):
        for kind in ACTIONS:
            share = percent(map(bool, uses(reports, kind)))
            aims.append((f"{kind} in at least {USED} %", f"{share:.0f} %", share >= USED))
    if strengths in ((1500, 700), (700, 1500)):
        wins = _wins(strengths, reports)
        aims.append((f"the stronger wins at least {STRONGER} %", f"{wins:.1f} %", wins >= STRONGER))
    return [f"{'met' if met else 'MISSED'}: {aim}: {found}" for aim, found, met in aims]


def plot(pairs: Mapping[str, Sequence[Report]]) -> str:
    """Plot the length of matches as an SVG: for each pairing the median, the middle half as a box,
    and a line from the 5th to the 95th percentile. The band is where the median should be."""
    scale, left, row = 20, 110, 26
    width, height = left + 30 * scale + 20, row * len(pairs) + 40
    at = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">']
    at.append("<style>text{font:12px sans-serif;fill:#555}</style>")
    band = f'x="{left + SHORTEST * scale}" width="{(LONGEST - SHORTEST) * scale}"'
    at.append(f'<rect {band} y="0" height="{height - 28}" fill="#7a7" opacity=".25"/>')
    for minute in range(0, 31, 6):
        x = left + minute * scale
        at.append(f'<text x="{x}" y="{height - 10}" text-anchor="middle">{minute} min</text>')
    for i, (name, reports) in enumerate(pairs.items()):
        y = i * row + 14
        found = sorted(report.milliseconds / 60_000 for report in reports)
        marks = [found[round(q * (len(found) - 1))] for q in (0.05, 0.25, 0.5, 0.75, 0.95)]
        low, first, middle, third, high = (left + scale * mark for mark in marks)
        at += [
            f'<text x="4" y="{y + 4}">{name}</text>',
            f'<path d="M{low:.0f} {y}H{high:.0f}" stroke="#48c"/>',
            f'<rect x="{first:.0f}" y="{y - 7}" width="{third - first:.0f}" height="14"'
            ' fill="#8bd" stroke="#48c"/>',
            f'<path d="M{middle:.0f} {y - 7}v14" stroke="#036" stroke-width="2"/>',
        ]
    return "\n".join([*at, "</svg>", ""])
