"""`manage.py contest`: player classes against the same boards, each in its own process."""

from __future__ import annotations

import json
import re
import secrets
import signal
import sys
from hashlib import blake2b
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.contest.players import CannotTakePart, Player, find
from games.contest.sandbox import require
from games.contest.secrecy import hide_argument
from games.contest.series import Record, Rules, play_all

MAX_SIDE = 200


class Command(BaseCommand):
    help = (
        "Plays a series of games with each player and ranks them. "
        "Example: manage.py contest --games 20 --size 16 --mines 40 mine.py random. "
        "Exit code 0: all games were played; 1: they couldn't be, or it was stopped."
    )
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

        parser.add_argument(
            "--load-timeout",
            type=float,
            default=10.0,
            metavar="S",
            help="seconds to load a player and make its object (10)",
        )
        parser.add_argument(
            "--trust",
            action="store_true",
            help="run player files without a sandbox; only for code that you trust",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rules = _rules(options)
        seed = options["seed"]
        if seed is None:
            key = secrets.token_bytes(32)
        else:
            hide_argument(seed)
            key = blake2b(seed.encode(errors="surrogateescape"), digest_size=32).digest()
        # A contest that is told to end ends its players and removes their copies.
        before = signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            players = [find(name, options["trust"]) for name in options["players"]]
            require(players)
            self.stderr.write(_isolation(players))
            total = rules.games * len(players)
            shown = total > 1 and sys.stderr.isatty()
            with tqdm(total=total, unit="game", disable=not shown) as bar:
                records = play_all(players, rules, key, lambda _: bar.update() and None)
        except CannotTakePart as error:
            raise CommandError(f"{error}. [{error.code}]") from error
        except KeyboardInterrupt:
            raise CommandError("Stopped.") from None
        finally:
            signal.signal(signal.SIGTERM, before)
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


def _isolation(players: list[Player]) -> str:
    if all(player.trusted for player in players):
        return "Isolation: none, as all players are trusted."
    return (
        "Isolation: bubblewrap (no network, no other files or processes, nothing to write to), "
        "limits on memory, CPU time and processes."
    )


def _rules(options: dict[str, Any]) -> Rules:
    size = re.fullmatch(r"(\d{1,4})(?:[xX](\d{1,4}))?", options["size"], re.ASCII)
    if size is None:
        raise CommandError("--size must be a number such as 10, or two such as 30x16.")
    width = int(size[1])
    height = int(size[2] or size[1])
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise CommandError(f"--size must be from 1 to {MAX_SIDE} each way.")
    if not 0 <= options["mines"] < width * height:
        raise CommandError("--mines must be 0 or more, and less than the number of cells.")
    if options["games"] < 1:
        raise CommandError("--games must be 1 or more.")
    for limit in ("turn_timeout", "load_timeout"):
        if not 0 < options[limit] < 1e6:
            name = limit.replace("_", "-")
            raise CommandError(f"--{name} must be a positive number of seconds.")
    return Rules(
        width,
        height,
        options["mines"],
        options["games"],
        options["turn_timeout"],
        options["safe_first"],
        options["load_timeout"],
    )
