"""Deploys while matches run: `manage.py up` gets SIGHUP again and again.

python -m tests.chaos.deploy [restarts of a web process] [matches at a time] [seed]
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos.chaos import Chaos
from tests.chaos.player import Player
from tests.chaos.processes import ROOT, Site
from tests.running_site import free_port, wait_for

WEBS = 2
ROLLED = "All processes are new"
FAILED = ("nothing is restarted", "the old one goes on")
ROLL_WITHIN = 180.0


class UpSite(Site):
    """The whole site as `manage.py up` runs it, on one port."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, webs=1)
        del self._env["REDIS_URL"]
        self.rolled = 0

    def start(self) -> None:
        environment = {
            **self._env,
            "DJANGO_SETTINGS_MODULE": "minesite.settings",
            "PORT": str(self.ports[0]),
            "TCP_PORT": str(free_port()),
            "WEB_PROCESSES": str(WEBS),
        }
        with (self.folder / "up.out").open("ab") as output:
            self.up = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        wait_for(lambda: "minesite is ready" in self.said(), 120, "the site's start")
        self.start_maker()

    def said(self) -> str:
        return (self.folder / "up.out").read_text(errors="replace")

    async def roll(self) -> None:
        """One rolling restart: each web process in turn, then the worker."""
        self.up.send_signal(signal.SIGHUP)
        self.rolled += 1
        async with asyncio.timeout(ROLL_WITHIN):
            while (said := self.said()).count(ROLLED) < self.rolled:
                assert not any(text in said for text in FAILED), said[-2000:]
                await asyncio.sleep(0.1)

    def stop(self) -> None:
        self.stop_maker()
        self.up.terminate()
        self.up.wait(30)


class Moving(Player):
    """Does as it is told by `reconnect`, and measures how long it was away."""

    pauses: list[float] = []
    answers: list[float] = []

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.silence = self.open_within = 15.0
        self._lost_at: float | None = None
        self._asked_at: dict[str, float] = {}

    async def play(self, match_id: str, seat: int) -> None:
        self._lost_at = None
        self._asked_at.clear()
        await super().play(match_id, seat)

    async def _one_connection(self) -> None:
        try:
            await super()._one_connection()
        finally:
            self._lost_at = self._lost_at or time.monotonic()

    async def _send(self, socket: Any, cid: str, action: Any, again: bool = False) -> None:
        self._asked_at.setdefault(cid, time.monotonic())
        await super()._send(socket, cid, action, again)

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind == "reconnect":
            loop, socket = asyncio.get_running_loop(), self._socket
            loop.call_later(message["after_ms"] / 1000, self._move, socket)
        elif kind == "welcome" and self._lost_at is not None:
            self.pauses.append(time.monotonic() - self._lost_at)
            self._lost_at = None
        elif kind in ("ack", "refused") and message["id"] in self._asked_at:
            self.answers.append(time.monotonic() - self._asked_at.pop(message["id"]))
        super()._hear(message)

    def _move(self, socket: Any) -> None:
        if self._socket is socket:
            self._closing = asyncio.ensure_future(socket.close())


def part(values: list[float], share: float) -> float:
    """The value that this share of all do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


class Result:
    def __init__(self, site: UpSite, record: Path, pauses: list[float], answers: list[float]):
        from tests.chaos.checker import check  # needs the apps

        archived = site.archived()
        self.pauses, self.answers = pauses, answers
        self.restarts = site.rolled * WEBS
        self.matches = len(archived)
        self.aborted = [name for name, row in archived.items() if row[0] == "aborted"]
        self.wrong = check(record, archived)

    def __str__(self) -> str:
        def three(values: list[float]) -> str:
            return "p50 {:.2f} s, p99 {:.2f} s, most {:.2f} s".format(
                *(part(values, share) for share in (0.5, 0.99, 1.0))
            )

        return (
            f"{self.restarts} restarts of a web process, {self.matches} matches, "
            f"{len(self.aborted)} aborted, {len(self.wrong)} promises broken\n"
            f"pause ({len(self.pauses)} reconnects): {three(self.pauses)}\n"
            f"answers to {len(self.answers)} moves: {three(self.answers)}"
        )


def deploy(
    folder: Path, restarts: int, tables: int, pace: tuple[float, float], seconds: int, seed: int = 1
) -> Result:
    """So many restarts under so many matches at a time."""
    site = UpSite(folder)
    site.start()
    Moving.pauses, Moving.answers = pauses, answers = [], []
    try:
        chaos = Chaos(site, seed, folder / "record", seconds, tables, Moving)
        with contextlib.closing(chaos):
            for player in chaos.players:
                player.pace = pace
            asyncio.run(chaos.run(-(-restarts // WEBS), [site.roll]))
        site.wait_until_archived(60)
        return Result(site, folder / "record", pauses, answers)
    finally:
        site.stop()


def main(restarts: int = 50, tables: int = 200, seed: int = 1) -> int:
    folder = Path(tempfile.mkdtemp(prefix="deploy-"))
    begin = time.monotonic()
    result = deploy(folder, restarts, tables, (2.0, 6.0), 120, seed)
    print(f"{result}\n{time.monotonic() - begin:.0f} s; output in {folder}")
    for line in result.wrong:
        print(line)
    good = not result.aborted and not result.wrong and part(result.pauses, 0.99) < 3
    return 0 if good else 1


if __name__ == "__main__":
    import django

    django.setup()
    raise SystemExit(main(*(int(argument) for argument in sys.argv[1:])))
