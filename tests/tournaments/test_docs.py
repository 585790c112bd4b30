"""docs/tournaments.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from games.signals import SEALED_SECONDS
from lobby.tournaments import clock, entry, making, results, waves
from lobby.tournaments.errors import CODES

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "tournaments.md").read_text()
FLAT = " ".join(DOC.split())


def test_codes_are_described_and_used():
    described = re.findall(r"^\| `([a-z_]+)` \|", DOC.split("## Error codes")[1], re.M)
    assert described == sorted(CODES)
    folder = ROOT / "lobby" / "tournaments"
    source = "".join(path.read_text() for path in folder.glob("*.py") if path.name != "errors.py")
    assert {code for code in CODES if f'"{code}"' in source} == set(CODES)


def test_the_numbers_are_those_of_the_code():
    for number in (
        f"last {waves.NO_MORE.seconds} seconds",
        f"within {waves.BREATHER.seconds} seconds of a match",
        f"begins {clock.BREAK.seconds} seconds",
        f"up to {making.MOST_OPEN} open tournaments",
        f"{making.MINUTES[0]} to {making.MINUTES[1]} minutes",
        f"{making.ROUNDS[0]} to {making.ROUNDS[1]} rounds of "
        f"{making.ROUND_MINUTES[0]} to {making.ROUND_MINUTES[1]} minutes",
        f"{making.BOARDS[0]} to {making.BOARDS[1]} boards, {entry.MOST_PLAYERS} players",
        f"within {making.LATEST.days} days",
        f"in {entry.MOST_ENTRIES} open tournaments",
        f"players have {making.MOST_OPEN_AT_ALL} open ones",
        f"within {waves.WAIT_MS // 1000} seconds (a round: {waves.SWISS_WAIT_MS // 1000})",
    ):
        assert number in FLAT, number
    assert results.MOST_ABSENCES == 2
    assert clock.LATEST.seconds == 3600
    assert 60 * making.MINUTES[1] == SEALED_SECONDS, "no window is open when replays are"
