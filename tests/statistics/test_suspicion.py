"""Results that no hand can make are held, those of people are not."""

from __future__ import annotations

from random import Random

import pytest

from games.engine.figures import Figures
from games.statistics.suspicion import suspicion


def game(bbbv: int, seconds: float, beats: list[int], won: bool = True) -> Figures:
    return Figures(
        "expert", False, won, int(seconds * 1000), bbbv, bbbv if won else 1,
        len(beats), 0, 0, tuple(beats),
    )  # fmt: skip


def human(clicks: int, seconds: float, seed: int = 1) -> list[int]:
    """Clicks with pauses as people make them: many short ones, a few long ones."""
    random = Random(seed)
    pauses = [random.lognormvariate(0, 0.6) for _ in range(clicks - 1)]
    scale = seconds * 1000 / sum(pauses)
    beats = [0.0]
    for pause in pauses:
        beats.append(beats[-1] + pause * scale)
    return [round(beat) for beat in beats]


@pytest.mark.parametrize(
    ("bbbv", "seconds", "clicks"),
    [
        (170, 60.0, 210),  # a very good game of expert
        (112, 28.7, 130),  # about the best there ever was
        (50, 7.2, 60),  # the same on intermediate
        (3, 0.6, 4),  # a lucky beginner board
        (2, 0.2, 2),
    ],
)
@pytest.mark.parametrize("seed", range(20))
def test_people_pass(bbbv, seconds, clicks, seed):
    assert suspicion(game(bbbv, seconds, human(clicks, seconds, seed))) == ""


def test_clicks_that_a_stalled_connection_delivers_at_once_pass():
    beats = human(120, 80.0)
    stalled = [max(beat, 30_000) if 20_000 < beat < 30_000 else beat for beat in beats]
    assert suspicion(game(150, 80.0, stalled)) == ""


def test_more_than_any_hand_does_is_held():
    assert suspicion(game(170, 9.0, human(120, 9.0))) == "too_fast"
    assert suspicion(game(30, 6.0, human(120, 6.0))) == "too_many_clicks"
    assert suspicion(game(10, 0, [0] * 10)) == "too_fast"


def test_a_program_that_clicks_by_the_clock_is_held():
    random = Random(3)
    beats = [300 * i + random.randint(-8, 8) for i in range(100)]
    assert suspicion(game(100, 30.0, beats)) == "too_regular"


def test_lost_games_are_never_held():
    assert suspicion(game(170, 0.1, [0] * 50, won=False)) == ""
