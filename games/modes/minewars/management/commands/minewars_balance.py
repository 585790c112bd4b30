"""`manage.py minewars_balance`: let house bots play MineWars and print the figures of balance."""

from __future__ import annotations

import gc
import json
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from time import process_time
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.bots.roster import ROSTER
from games.modes.minewars.bot import figures
from games.modes.minewars.bot.simulation import Match, Report
from games.modes.minewars.rules.presets import PRESETS
from games.modes.minewars.rules.ruleset import VERSION

PAIRS: Final = ("1500:1500", "1000:1000", "1500:700")
BY_STRENGTH: Final = {int(c.strength): c for c in ROSTER}

Key = tuple[int, int, int]
"""The strengths of a pair, and a seed."""


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    requires_migrations_checks = False
    help = (
        "House bots play MineWars on the engine alone; prints how balanced their matches are. "
        "Example: manage.py minewars_balance --matches 5 --pairs 1500:1500 1500:700. "
        "Exit code 0: all matches were played; 1: the options are wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=20, help="of each pair (20)")
        parser.add_argument(
            "--pairs",
            nargs="+",
            type=_pair,
            default=PAIRS,
            help=f"strengths, A:B ({' '.join(PAIRS)})",
        )
        parser.add_argument("--seed", type=int, default=1, help="the first match's; others follow")
        parser.add_argument("--processes", type=int, default=2, help="that play at once (2)")
        parser.add_argument("--preset", default="duel", choices=PRESETS, help="the map (duel)")
        parser.add_argument(
            "--rules", type=int, default=VERSION, choices=range(2, VERSION + 1), help="version"
        )
        parser.add_argument(
            "--save", type=Path, help="keep each match in this file; those in it are not replayed"
        )
        parser.add_argument("--plot", type=Path, help="draw how long matches last, as an SVG")

    def handle(self, *args: Any, **given: Any) -> None:
        pairs = [_pair(one) if isinstance(one, str) else one for one in given["pairs"]]
        matches, seed = given["matches"], given["seed"]
        if matches < 1 or given["processes"] < 1 or seed < 0:
            raise CommandError("Give at least one match and one process, and no negative seed.")
        # One match of each pair after another: a run that is stopped has as many of each.
        wanted = [(a, b, seed + i) for i in range(matches) for a, b in pairs]
        save: Path | None = given["save"]
        reports = _saved(save)
        left = [key for key in wanted if key not in reports]
        with (
            ProcessPoolExecutor(given["processes"], mp_context=get_context("spawn")) as pool,
            tqdm(total=len(left), unit="match", disable=None) as bar,
        ):
            running = {pool.submit(play, key, given["preset"], given["rules"]): key for key in left}
            for future in as_completed(running):
                key = running[future]
                reports[key] = future.result()
                if save is not None:
                    with save.open("a") as file:
                        file.write(json.dumps([key, reports[key].as_json()]) + "\n")
                bar.update()
        by_pair = {(a, b): [reports[a, b, s] for x, y, s in wanted if (x, y) == (a, b)]
                   for a, b in pairs}  # fmt: skip
        for pair, found in by_pair.items():
            for line in (*figures.table(pair, found), "", *figures.verdicts(pair, found)):
                self.stdout.write(line)
        if given["plot"] is not None:
            named = {f"{a} : {b}": found for (a, b), found in by_pair.items()}
            given["plot"].write_text(figures.plot(named))


def play(key: Key, preset: str, version: int) -> Report:
    """One match. Every other match changes seats: report and ranks are always of the first first.
    The garbage is collected between matches, so that it counts for no decision."""
    a, b, seed = key
    pair = (a, b) if seed % 2 else (b, a)
    seats = PRESETS[preset]["players"]
    characters = [BY_STRENGTH[pair[seat % 2]] for seat in range(seats)]
    gc.collect()
    gc.disable()
    report = Match({"preset": preset}, characters, seed, version, process_time).play()
    gc.enable()
    if not seed % 2:
        report.ranks = report.ranks[::-1]
        report.tiles_at_contact = report.tiles_at_contact[::-1]
    return report


def _saved(save: Path | None) -> dict[Key, Report]:
    if save is None or not save.exists():
        return {}
    rows = (json.loads(line) for line in save.read_text().splitlines())
    return {tuple(key): Report.from_json(raw) for key, raw in rows}


def _pair(text: str) -> tuple[int, int]:
    a, _, b = text.partition(":")
    names = [str(strength) for strength in BY_STRENGTH]
    if a not in names or b not in names:
        raise CommandError(f"{text!r} is no pair: give A:B of {', '.join(names)}.")
    return int(a), int(b)
