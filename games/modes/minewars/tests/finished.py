"""A match of two house bots, finished and in the archive, for pages to show: `site.python("from
games.modes.minewars.tests.finished import ...")`."""

from __future__ import annotations

from random import Random
from typing import Any

from games.bots.decision import bot_for
from games.bots.roster import ROSTER
from tests.web.finished import Table

OPTIONS = {
    "radius": 10,
    "cities": 3,
    "limit_seconds": 60,
    "ban_seconds": 0,
    "price_percent": 40,
}


def played(*names: str, options: dict[str, Any] | None = None, most_ms: int = 120_000) -> Table:
    """To the end, or to this match time; then the first player gives up."""
    table = Table("minewars", list(names), {**OPTIONS, **(options or {})})
    bots = [bot_for("minewars", ROSTER[-1], Random(seat)) for seat in range(len(names))]
    game, state = table.course.game, table.course.state
    while not table.over and state.now < most_ms:
        plans = []
        for seat, bot in enumerate(bots):
            decision = bot.decide(table.course.view(seat), state.now)
            if decision is not None:
                plans.append((int(decision.after * 1000), seat, decision.action))
        due = game.due(state)  # as the server's clock tells it
        first = min(plans, key=lambda plan: plan[:2], default=None)
        if first is not None and (due is None or table.now + first[0] < due):
            after, seat, action = first
            table.act(seat, after=after, **action)
        else:
            assert due is not None, "nobody moves and no timer runs"
            table.tick(max(0, due - table.now))
    table.act(0, "surrender")
    return table


def archived(*names: str, **how: Any) -> str:
    return played(*(names or ("Ada", "Grace")), **how).archive()
