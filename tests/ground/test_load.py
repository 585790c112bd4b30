"""`make load`: people on a running site, a table and a plot, and nowhere else than here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.site_load", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_visitors_and_players_use_the_site(site, tmp_path) -> None:
    plot = tmp_path / "load.svg"
    people = ("--visitors", "4", "--players", "2", "--minutes", "0.25")
    done = load("--url", site.url, *people, "--plot", str(plot))
    assert done.returncode == 0, done.stderr
    for line in ("a page", "opening the lobby's socket"):
        assert line in done.stdout
    assert "error:" not in done.stdout
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


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
