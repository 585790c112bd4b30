"""Matches with mistakes in them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from games.bots.roster import ROSTER
from games.demo.playing import play
from games.engine import registry
from games.live.entry import Entry, pack_log
from games.live.setup import MatchSetup, SeatInfo


@dataclass(frozen=True)
class Careless:
    entries: list[Entry]

    @property
    def packed(self) -> bytes:
        return pack_log(self.entries)


def careless_match(kind: str, seed: int = 3) -> Careless:
    """A match of two players of this kind who see only what one number shows."""
    setup = MatchSetup(
        mode="race",
        version=registry.game("race").spec.version,
        seed=f"{seed:02x}" * 32,
        seats=[SeatInfo(None, f"Player {number}", kind) for number in range(2)],
        options={"width": 16, "height": 16, "mines": 50},
        rated=False,
        source="queue",
    )
    _state, entries = play(setup, [ROSTER[0]] * 2, Random(seed), 1_790_000_000_000)
    return Careless(entries)
