"""`make load`: people on a running site, a table and a plot, and nowhere else than here."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import AsyncMock
from xml.etree import ElementTree

import pytest

from bench.site_load.client import Client
from bench.site_load.figures import Figures
from bench.site_load.people import Seat

ROOT = Path(__file__).resolve().parents[2]


def load(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.site_load", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_visitors_and_players_use_the_site(site, tmp_path) -> None:
    plot = tmp_path / "load.svg"
    people = ("--visitors", "4", "--players", "2", "--minutes", "0.1")
    done = load("--url", site.url, *people, "--plot", str(plot))
    assert done.returncode == 0, done.stderr
    for line in ("a page", "opening the lobby's socket"):
        assert line in done.stdout
    assert "error:" not in done.stdout
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


class Table:
    """The socket of a match that ends as told once the player has surrendered, or by itself."""

    def __init__(self, reason: str, at_once: bool) -> None:
        outcome = {"reason": reason, "aborted": False}
        over = {"type": "view", "view": {"phase": "over", "outcome": outcome, "origin": 0}}
        going_on = {"type": "view", "view": {"phase": "ready", "origin": 0}}
        self._coming = [going_on]
        self._end = over
        if at_once:
            self._coming.append(over)

    async def say(self, **message: Any) -> None:
        if message.get("action") == {"type": "surrender"}:
            self._coming.append(self._end)

    async def next(self, seconds: float) -> dict[str, Any]:
        return self._coming.pop(0)


@pytest.mark.parametrize(
    ("reason", "gives_up", "how"),
    [
        ("claimed", False, "played"),
        ("last_one_left", False, "left alone"),
        ("nobody_left", False, "left alone"),
        ("last_one_left", True, "surrendered"),
    ],
)
async def test_a_surrendered_seat_is_not_counted_as_played(reason, gives_up, how) -> None:
    client = Client("http://127.0.0.1", AsyncMock(), Figures(0.0))
    seat = Seat(Table(reason, not gives_up), "claim", client, Random(1), count())
    give_up_at = 0.0 if gives_up else time.monotonic() + 60
    assert await seat.play(give_up_at) == how


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--url", "http://203.0.113.7"), "isn't on this machine"),
        (("--url", "http://example.com"), "isn't on this machine"),
        (("--visitors", "30000"), "At most 20,000 people"),
        (("--minutes", "100"), "60 minutes"),
    ],
)
def test_a_run_is_bounded_and_stays_here(arguments, why) -> None:
    done = load(*arguments)
    assert done.returncode == 1
    assert why in done.stderr
