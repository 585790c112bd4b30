"""`manage.py puzzles`: make puzzles of bots' games, or check those that come with the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.puzzles import selfplay, stock
from games.puzzles.checking import is_right
from games.puzzles.making import TAGS, Made
from games.puzzles.models import Puzzle

SHARES: Final = {"subset": 0.4, "chain": 0.4, "probability": 0.35}
"""The most of each theme, so that the easiest to find don't crowd out the others."""
OF_A_GAME: Final = 2
"""Positions of one game resemble each other."""
BARREN: Final = 2000
"""After so many games without a new puzzle there are no more to be had."""


class Command(BaseCommand):
    help = (
        "Makes puzzles from games of simulated players and adds them to the database, or writes "
        "them to a file. Example: manage.py puzzles --count 100 --seed 7. "
        "Exit code 0: done; 1: a puzzle is wrong, or there are not so many."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--count", type=int, default=100, help="how many (default 100)")
        parser.add_argument("--seed", type=int, default=1, help="of the games (default 1)")
        parser.add_argument("--out", type=Path, help="write them to this file, not the database")
        parser.add_argument(
            "--check",
            type=Path,
            nargs="?",
            const=stock.FILE,
            help="prove every puzzle of a file again; without a name: those of the site",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["check"]:
            self._check(options["check"])
            return
        count = options["count"]
        if not 1 <= count <= 100_000:
            raise CommandError("--count must be from 1 to 100000.")
        with tqdm(total=count, unit="puzzle", disable=None) as bar:
            found = []
            for made in make(count, options["seed"]):
                found.append(made)
                bar.update()
        if options["out"]:
            stock.write(options["out"], found)
            self.stdout.write(f"{len(found)} puzzles in {options['out']}.")
        else:
            added = stock.store(found, Puzzle.Source.STOCK)
            self.stdout.write(f"{len(found)} puzzles made, {added} of them new.")
        themes = Counter(tag for made in found for tag in made.tags)
        self.stdout.write(", ".join(f"{tag} {themes[tag]}" for tag in TAGS))
        if len(found) < count:
            raise CommandError(f"Only {len(found)} of {count} were found. Try another --seed.")

    def _check(self, path: Path) -> None:
        try:
            puzzles = list(stock.read(path))
        except (OSError, ValueError, EOFError) as error:
            raise CommandError(f"{path} can't be read as puzzles: {error}") from None
        wrong = [one for one in tqdm(puzzles, unit="puzzle", disable=None) if not is_right(one)]
        for one in wrong:
            self.stderr.write(f"wrong: {one.key}")
        if len({one.key for one in puzzles}) < len(puzzles):
            raise CommandError("Some puzzles are there twice.")
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(puzzles)} puzzles are wrong.")
        self.stdout.write(f"{len(puzzles)} puzzles are right.")


def make(count: int, seed: int) -> Iterator[Made]:
    """So many different puzzles, none twice under turning and mirroring."""
    seen: set[str] = set()
    themes: Counter[str] = Counter()
    game, last = 0, 0
    while len(seen) < count and game - last < BARREN:
        players = (selfplay.PLAYERS, selfplay.KEEN)[game % 2]
        if themes["subset"] > SHARES["subset"] * count:
            players = selfplay.KEEN
        found = list(selfplay.play(f"{seed}:{game}", players))
        for made in Random(f"{seed}:{game}").sample(found, min(OF_A_GAME, len(found))):
            full = any(themes[tag] >= share * count for tag, share in SHARES.items()
                       if tag in made.tags) and "pattern" not in made.tags  # fmt: skip
            if made.key in seen or full or len(seen) == count:
                continue
            seen.add(made.key)
            themes.update(made.tags)
            last = game
            yield made
        game += 1
