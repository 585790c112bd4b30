"""Claim, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.claim import SIZE


def options(random: Random) -> dict[str, Any]:
    return random.choice([{}, {"seconds": random.randint(1, 60)}])


def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
    return {"type": "claim", "cell": random.randrange(-2, SIZE * SIZE + 2)}
