"""Random bots play Duels on the real map to the end."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from games.engine.game import Input, Kind
from games.modes.minewars.contract import play
from tests.engine.table import Table


@pytest.mark.parametrize("number", range(3))
def test_random_bots_play_a_duel_to_its_end(number: int) -> None:
    """Views fold and stay equal at every step (`Table`), and the match comes to its end."""
    random = Random(number)
    options = {"price_percent": 10, "limit_seconds": 60 + 60 * number}
    duel = Table("minewars", 2, seed=sha256(b"duel %d" % number).digest(), **options)
    duel.wait_until(15_000)
    for _ in range(2000):
        if duel.game.outcome(duel.state) is not None:
            break
        duel.t += random.randint(50, 700)
        seat = random.randrange(2)
        raw = play(random, duel.inner, seat)
        if raw is None:
            duel.wait_until(duel.t)
        else:
            at = duel.ORIGIN + duel.t
            duel.give(Input(at, Kind.ACTION, seat, duel.game.parse_action(raw)))
    outcome = duel.game.outcome(duel.state)
    assert outcome is not None
    assert outcome.reason in ("time", "conquest")
    assert sorted(outcome.ranks) in ([1, 1], [1, 2])
