"""The vote in the ban stage."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from games.modes.minewars.rules.ruleset import Ruleset

from .desk import Proposal


def vote(view: dict[str, Any], rules: Ruleset, judges: bool, random: Random) -> Proposal | None:
    """Against the cities with the poorest regions, where nobody wants to start; a bot that doesn't
    judge votes anyhow. None: it has voted."""
    game = view["game"]
    if game["vote"] or game["votes"] is not None or not view["options"]["ban_seconds"]:
        return None
    cities = list(range(len(game["cities"])))
    if judges:
        worth: Counter[int] = Counter(dict.fromkeys(cities, 0))
        for code, letter in zip(game["tiles"], game["regions"], strict=True):
            if letter != ".":
                worth[ord(letter) - ord("a")] += rules.income[code & 7]
        chosen = sorted(cities, key=lambda i: (worth[i], i))[: rules.votes]
    else:
        chosen = random.sample(cities, 1)
    return {"type": "vote", "cities": chosen}
