"""`manage.py puzzles`."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.puzzles import stock
from games.puzzles.models import Puzzle


def run(*options: str) -> str:
    out = StringIO()
    call_command("puzzles", *options, stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.django_db
def test_puzzles_are_added_to_the_database_once():
    assert "5 puzzles made, 5 of them new." in run("--count", "5", "--seed", "3")
    assert "5 puzzles made, 0 of them new." in run("--count", "5", "--seed", "3")
    assert Puzzle.objects.count() == 5


def test_a_file_is_the_same_each_time_and_can_be_checked(tmp_path: Path):
    files = [tmp_path / name for name in ("one.gz", "two.gz")]
    for file in files:
        run("--count", "4", "--seed", "8", "--out", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "4 puzzles are right." in run("--check", str(files[0]))


def test_a_wrong_puzzle_is_found(tmp_path: Path):
    good = list(stock.read())[:3]
    answer = {**good[0].answer, "mines": [0]}
    bad = type(good[0])(good[0].question, good[0].position, answer, good[0].tags, good[0].mu)
    stock.write(tmp_path / "bad.gz", [bad, *good[1:]])
    with pytest.raises(CommandError, match="1 of 3 puzzles are wrong"):
        run("--check", str(tmp_path / "bad.gz"))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--count", "0"], "--count must be"),
        (["--check", "/nowhere"], "can't be read"),
    ],
)
def test_bad_options_say_what_is_wrong(options, text):
    with pytest.raises(CommandError, match=text):
        run(*options)
