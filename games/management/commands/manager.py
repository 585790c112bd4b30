"""`manage.py manager`: the AI manager."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from argparse import REMAINDER
from hashlib import blake2b
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.manager.series import CannotStart, Config, Series, Tally, serve_tcp
from games.manager.session import Result


class Command(BaseCommand):
    help = (
        "Lets a program play minesweeper over its standard input and output, or over TCP. "
        "Example: manage.py manager --games 10 -- ./my-ai. "
        "Exit code 0: all games were played; 1: the program or the connection failed."
    )
    requires_system_checks: list[str] = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, metavar="N", help="stop after N finished games")
        parser.add_argument("--seed", help="the same seed gives the same boards")
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument(
            "--timeout", type=float, default=10.0, metavar="S", help="seconds for each command (10)"
        )
        parser.add_argument("--hidden", default="#", help="sign of a cell that is not open (#)")
        parser.add_argument(
            "--safe-first", action="store_true", help="the first reveal is never a mine"
        )
        parser.add_argument("--tcp", metavar="HOST:PORT", help="serve AIs that connect")
        parser.add_argument("ai", nargs=REMAINDER, metavar="-- COMMAND", help="the AI to start")

    def handle(self, *args: Any, **options: Any) -> None:
        command = options["ai"][1:] if options["ai"][:1] == ["--"] else options["ai"]
        config = self._config(options)
        if options["tcp"]:
            if command:
                raise CommandError("Give --tcp or a command, not both.")
            self._serve(options["tcp"], config, options["json"])
            return
        if not command:
            raise CommandError("Name the AI: manage.py manager -- COMMAND, or use --tcp.")
        shown = (config.games or 0) > 1 and sys.stderr.isatty()
        with tqdm(total=config.games, unit="game", disable=not shown) as bar:

            def tick(result: Result) -> None:
                bar.update()

            series = Series(config, tick)
            try:
                asyncio.run(series.run(command))
            except CannotStart as error:
                raise CommandError(str(error)) from error
            except KeyboardInterrupt:
                pass
        self._print(series.tally, options["json"])

    def _config(self, options: dict[str, Any]) -> Config:
        if options["games"] is not None and options["games"] < 1:
            raise CommandError("--games must be 1 or more.")
        if not 0 < options["timeout"] < 1e6:
            raise CommandError("--timeout must be a positive number of seconds.")
        hidden = options["hidden"]
        if len(hidden) != 1 or not hidden.isascii() or not hidden.isprintable():
            raise CommandError("--hidden must be one printable ASCII character.")
        if hidden in " X12345678":
            raise CommandError("--hidden can't be a character that stands for an open cell.")
        seed = options["seed"]
        key = secrets.token_bytes(32) if seed is None else _key(seed)
        return Config(key, options["games"], options["timeout"], hidden, options["safe_first"])

    def _serve(self, address: str, config: Config, as_json: bool) -> None:
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise CommandError("--tcp takes an address such as 127.0.0.1:4000.")

        def ended(number: int, tally: Tally) -> None:
            if not as_json:
                self.stdout.write(f"AI {number}")
            self._print(tally, as_json)

        async def serve() -> None:
            server = await serve_tcp(host.strip("[]"), int(port), config, ended)
            bound = server.sockets[0].getsockname()
            self.stderr.write(f"Serving AIs on {bound[0]}:{bound[1]}; Ctrl-C stops.")
            async with server:
                await server.serve_forever()

        try:
            asyncio.run(serve())
        except OSError as error:
            raise CommandError(f"Cannot serve on {address}: {error.strerror}.") from error
        except KeyboardInterrupt:
            pass

    def _print(self, tally: Tally, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(tally.as_json()))
            return
        figures = tally.as_json()
        self.stdout.write(
            f"{'games':>8} {'won':>8} {'lost':>8} {'mean discovery':>16} {'time per pick':>16}\n"
            f"{figures['games']:>8} {figures['won']:>8} {figures['lost']:>8} "
            f"{figures['mean_discovery']:>14.2f} % {figures['seconds_per_pick'] * 1000:>13.2f} ms"
        )
        for reason in sorted({r.reason for r in tally.results} - {"cleared", "mine"}):
            count = sum(r.reason == reason for r in tally.results)
            self.stdout.write(f"{count:>8} lost because {reason}")


def _key(seed: str) -> bytes:
    return blake2b(seed.encode(), digest_size=32).digest()
