"""`manage.py contest`: player classes against the same boards, each in its own sandbox."""

from __future__ import annotations

import json
import re
import secrets
import sys
from hashlib import blake2b
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.contest.players import CannotTakePart, find
from games.contest.sandbox import isolation
from games.contest.series import Record, Rules, play_all

MAX_SIDE = 200


class Command(BaseCommand):
    help = "Plays a series of games with each player and ranks them."
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "players", nargs="+", metavar="PLAYER", help="a file, or a supplied one"
        )
        parser.add_argument("--size", default="10", metavar="N|WxH", help="size of the board (10)")
        parser.add_argument("--mines", type=int, default=10, help="mines on the board (10)")
        parser.add_argument("--games", type=int, default=1, metavar="N", help="games for each (1)")
        parser.add_argument("--seed", help="the same seed gives the same boards")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument(
            "--turn-timeout", type=float, default=5.0, metavar="S", help="seconds for a turn (5)"
        )
        parser.add_argument(
            "--safe-first", action="store_true", help="the first reveal is never a mine"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules = _rules(options)
        seed = options["seed"]
        key = secrets.token_bytes(32) if seed is None else blake2b(seed.encode(), digest_size=32)
        try:
            players = [find(name) for name in options["players"]]
            self.stderr.write(f"Isolation: {isolation().text}.")
            total = rules.games * len(players)
            shown = total > 1 and sys.stderr.isatty()
            with tqdm(total=total, unit="game", disable=not shown) as bar:
                records = play_all(
                    players,
                    rules,
                    key if isinstance(key, bytes) else key.digest(),
                    lambda _: bar.update() and None,
                )
        except CannotTakePart as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped.") from None
        if options["json"]:
            self.stdout.write(json.dumps({"players": [r.as_json() for r in records]}))
        else:
            self._table(records)

    def _table(self, records: list[Record]) -> None:
        self.stdout.write(f"{'':>4} {'player':<24} {'won':>7} {'lost':>7} {'turns':>9}")
        for record in records:
            place = 1 + sum(other.won > record.won for other in records)
            turns = sum(game.turns for game in record.games) / len(record.games)
            lost = len(record.games) - record.won
            name = record.name[:24]
            self.stdout.write(f"{place:>3}. {name:<24} {record.won:>7} {lost:>7} {turns:>9.1f}")
        for record in records:
            for reason in sorted({game.reason for game in record.games if not game.won}):
                count = sum(game.reason == reason for game in record.games)
                self.stdout.write(f"     {record.name[:24]} lost {count}: {reason}")


def _rules(options: dict[str, Any]) -> Rules:
    size = re.fullmatch(r"(\d{1,4})(?:[xX](\d{1,4}))?", options["size"], re.ASCII)
    if size is None:
        raise CommandError("--size is a number such as 10, or 30x16.")
    width = int(size[1])
    height = int(size[2] or size[1])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise CommandError(f"--size is from 1 to {MAX_SIDE} each way.")
    if not 0 <= options["mines"] < width * height:
        raise CommandError("--mines is 0 or more, and less than the number of cells.")
    if options["games"] < 1:
        raise CommandError("--games is 1 or more.")
    if not 0 < options["turn_timeout"] < 1e6:
        raise CommandError("--turn-timeout is a positive number of seconds.")
    return Rules(
        width,
        height,
        options["mines"],
        options["games"],
        options["turn_timeout"],
        options["safe_first"],
    )
