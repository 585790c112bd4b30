"""Nothing hidden leaves the engine: 1,000 random matches, each forked into two that differ in all
that a viewer cannot see, and what the viewer receives is byte-identical, sizes and counts included.

MINEWARS_LEAKS sets another number of matches.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from games.contract.playing import new_setup
from games.contract.replay import Replay
from games.contract.secrecy import same_for
from games.contract.subject import subject_of
from games.modes.minewars import contract as minewars

MATCHES = int(os.environ.get("MINEWARS_LEAKS", "1000"))
PARTS = 8
SUBJECT = subject_of("minewars")


def random_match(random: Random) -> Replay:
    """Some way into a match; orders and sieges are not under way: they may tell by the rules."""
    setup = new_setup(SUBJECT, random)
    setup["options"].update(limit_seconds=600, ban_seconds=0)
    table = Replay.open(setup)
    at = setup["t"]
    for _ in range(random.randint(4, 40)):
        at += random.randint(0, 900)
        seat = random.randrange(setup["seats"])
        action = minewars.act(random, table.state, seat)
        if action is not None:
            table.apply({"t": at, "k": "action", "s": seat, "d": action})
    table.apply({"t": at + 12_000, "k": "tick"})
    return table


@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_a_seat_cannot_see_changes_nothing_that_it_receives(part: int) -> None:
    compared = 0
    for number in range(part, 4 * MATCHES, PARTS):
        random = Random(f"leaks {number}")
        table = random_match(random)
        if table.game.outcome(table.state) is None:
            viewer = random.choice(list(table.streams))
            compared += same_for(viewer, table, SUBJECT, random)
        if compared >= MATCHES // PARTS:
            return
    pytest.fail(f"only {compared} pairs of matches came about")
