"""The bot: what it knows of the map is true, and it knows more the harder it thinks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.bots.decision import bot_for
from games.bots.roster import ROSTER
from games.bots.solver import Tier
from games.engine.game import Input, Kind, Setup
from games.engine.registry import game
from games.modes.minewars.bot import Board

WARS = {"radius": 9, "cities": 3, "limit_seconds": 120, "price_percent": 20}


def minewars_views(seed: int, moves: int) -> Iterator[tuple[dict[str, Any], bytearray]]:
    """The views of a bot in MineWars before each of its moves, and the true items."""
    rules = game("minewars")
    options = rules.parse_options({"radius": 9, "cities": 3, "ban_seconds": 0})
    state = rules.start(Setup("minewars", rules.spec.version, bytes([seed]) * 32, 2, options, 0))
    bot = bot_for("minewars", ROSTER[-1], Random(seed))
    at = 0
    for _ in range(moves):
        view = rules.view(state, 0)
        if view["phase"] == "over":
            return
        if view["phase"] == "live":
            yield view, state.game.item
        decision = bot.decide(view, at)
        at = rules.due(state) if decision is None else at + int(decision.after * 1000)
        action = decision and rules.parse_action(decision.action)
        kind = Kind.ACTION if action else Kind.TICK
        rules.apply(state, Input(at, kind, 0 if action else None, action))


def test_a_board_that_follows_the_views_knows_what_a_new_one_would():
    for tier in Tier:
        kept = None
        for view, _ in minewars_views(3, 60):
            kept = kept or Board(view["options"], tier)
            new = Board(view["options"], tier)
            for board in (kept, new):
                board.look(view["game"], 10**9)
            for part in ("own", "edge", "border", "safe", "items"):
                assert getattr(kept, part) == getattr(new, part), part


def test_a_higher_tier_knows_more_and_nothing_wrong():
    found = dict.fromkeys(Tier, 0)
    for seed in range(3, 6):
        for view, item in minewars_views(seed, 80):
            for tier in Tier:
                board = Board(view["options"], tier)
                board.look(view["game"], 10**9)
                assert not any(item[cell] for cell in board.safe)
                assert all(item[cell] for cell in board.items)
                found[tier] += len(board.safe) + len(board.items)
    assert found[Tier.SINGLE] < found[Tier.FULL]
