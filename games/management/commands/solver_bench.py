from __future__ import annotations

from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.solver_strength import Series, Tally, load, play_next, save

SAVE_EVERY = 5.0


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    requires_migrations_checks = False
    help = (
        "Measures the solver's win rate. Interrupt it at any time: the next run with the same "
        "options goes on where it stopped. "
        "Example: manage.py solver_bench --games 2000 --first opening. "
        "Exit code 0: all games were played; 1: the options make no board."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, default=20_000, help="of each kind (20000)")
        parser.add_argument("--width", type=int, default=30, help="cells (30)")
        parser.add_argument("--height", type=int, default=16, help="cells (16)")
        parser.add_argument("--mines", type=int, default=99, help="on the board (99)")
        parser.add_argument(
            "--first",
            choices=["safe", "opening", "both"],
            default="both",
            help="the first reveal is safe, or opens a zero",
        )
        parser.add_argument("--seed", type=int, default=1, help="which boards")
        parser.add_argument("--fresh", action="store_true", help="forget earlier games")

    def handle(self, *args: Any, **options: Any) -> None:
        width, height, mines = options["width"], options["height"], options["mines"]
        room = width * height - 9
        if min(width, height) < 1 or not 0 <= mines <= room:
            raise CommandError(f"The board must have room for the mines: at most {max(0, room)}.")
        kinds = {"safe": [False], "opening": [True], "both": [False, True]}[options["first"]]
        for opening in kinds:
            series = Series(width, height, mines, opening, options["seed"])
            tally = self._run(series, options["games"], options["fresh"])
            low, high = tally.interval()
            first = "opens a zero" if opening else "is safe"
            self.stdout.write(
                f"{width}x{height}, {mines} mines, first reveal {first}: "
                f"{100 * tally.rate:.2f} % of {tally.games} games won "
                f"(95 %: {100 * low:.2f} to {100 * high:.2f}), "
                f"{tally.milliseconds:.1f} ms and {tally.guesses / max(1, tally.games):.2f} "
                "guesses a game"
            )

    def _run(self, series: Series, games: int, fresh: bool) -> Tally:
        path = settings.DATA_DIR / "solver_bench" / f"{series.name}.json"
        tally = Tally() if fresh else load(path)
        saved = monotonic()
        with tqdm(total=games, initial=min(tally.games, games), unit="game", disable=None) as bar:
            try:
                while tally.games < games:
                    play_next(series, tally)
                    bar.update()
                    if monotonic() - saved > SAVE_EVERY:
                        save(path, tally)
                        bar.set_postfix_str(f"{100 * tally.rate:.2f} % won")
                        saved = monotonic()
            except KeyboardInterrupt:
                raise CommandError(
                    f"Stopped after {tally.games} games; run it again to go on."
                ) from None
            finally:
                save(path, tally)
        return tally
