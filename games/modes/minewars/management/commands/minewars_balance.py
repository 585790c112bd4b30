"""`manage.py minewars_balance`: let house bots play Duels and print the figures of balance."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from statistics import quantiles
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm  # type: ignore[import-untyped]

from games.bots.roster import ROSTER, Character
from games.modes.minewars.bot.simulation import Match, Report

PAIRS: Final = ("1500:1500", "1000:1000", "1500:700")
OPTIONS: Final = {"preset": "duel", "ban_seconds": 0}


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    requires_migrations_checks = False
    help = "House bots play MineWars Duels on the engine alone; prints how balanced they are."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=20, help="of each pair (20)")
        parser.add_argument(
            "--pairs", nargs="+", default=PAIRS, help=f"strengths, A:B ({' '.join(PAIRS)})"
        )
        parser.add_argument("--seed", type=int, default=1, help="the first match's; others follow")
        parser.add_argument("--processes", type=int, default=2)

    def handle(self, *args: Any, **given: Any) -> None:
        pairs = [_pair(text) for text in given["pairs"]]
        matches, seed = given["matches"], given["seed"]
        if matches < 1 or given["processes"] < 1 or seed < 0:
            raise CommandError("Give at least one match and one process, and no negative seed.")
        reports: list[dict[int, Report]] = [{} for _ in pairs]
        with (
            ProcessPoolExecutor(given["processes"], mp_context=get_context("spawn")) as pool,
            tqdm(total=matches * len(pairs), unit="match") as bar,
        ):
            running = {
                pool.submit(play, a.name, b.name, seed + i): (number, i)
                for number, (a, b) in enumerate(pairs)
                for i in range(matches)
            }
            for future in as_completed(running):
                number, i = running[future]
                reports[number][i] = future.result()
                bar.update()
        for pair, found in zip(pairs, reports, strict=True):
            for line in table(pair, [found[i] for i in sorted(found)]):
                self.stdout.write(line)


def play(a: str, b: str, seed: int) -> Report:
    """One Duel. Every other match changes seats: report and ranks are always of `a` first."""
    characters = {c.name: c for c in ROSTER}
    names = (a, b) if seed % 2 else (b, a)
    report = Match(OPTIONS, [characters[name] for name in names], seed).play()
    if not seed % 2:
        report.ranks = report.ranks[::-1]
        report.tiles_at_contact = report.tiles_at_contact[::-1]
    return report


def table(pair: tuple[Character, Character], reports: Sequence[Report]) -> list[str]:
    """The figures of a pairing, in Markdown."""
    minutes = sorted(report.milliseconds / 60_000 for report in reports)
    low, median, high = quantiles(minutes, n=4) if len(minutes) > 1 else minutes * 3
    lines = [
        f"\n{pair[0].strength:.0f} against {pair[1].strength:.0f}, {len(reports)} matches\n",
        "| figure | value |",
        "|---|---|",
        f"| length, median (quartiles) | {median:.1f} min ({low:.1f} to {high:.1f}) |",
        f"| at the time limit | {_share([r.reason == 'time' for r in reports])} |",
    ]
    if pair[0].strength != pair[1].strength:
        strong = 0 if pair[0].strength > pair[1].strength else 1
        lines.append(f"| the stronger wins | {_share([r.ranks[strong] == 1 for r in reports])} |")
    ahead = [
        report.ranks[report.tiles_at_contact.index(max(report.tiles_at_contact))] == 1
        for report in reports
        if len(set(report.tiles_at_contact)) > 1
    ]
    lines.append(f"| more tiles at first contact wins | {_share(ahead)} |")
    lines.append(f"| refused orders | {sum(len(r.refused) for r in reports)} |")
    for kind in sorted({kind for report in reports for _, kind in report.actions}):
        uses = [sum(n for (_, k), n in r.actions.items() if k == kind) for r in reports]
        mean = sum(uses) / len(uses)
        lines.append(
            f"| {kind}: a match, and in how many | {mean:.1f}, {_share(map(bool, uses))} |"
        )
    return lines


def _share(hits: Any) -> str:
    hits = list(hits)
    return f"{100 * sum(hits) / len(hits):.0f} % of {len(hits)}" if hits else "none"


def _pair(text: str) -> tuple[Character, Character]:
    by_strength = {f"{c.strength:.0f}": c for c in ROSTER}
    a, _, b = text.partition(":")
    if a not in by_strength or b not in by_strength:
        raise CommandError(f"{text!r} is no pair: give A:B of {', '.join(by_strength)}.")
    return by_strength[a], by_strength[b]
