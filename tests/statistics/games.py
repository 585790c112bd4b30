"""Finished games, played by hand and put into the archive as the worker does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from accounts.models import User
from games.live import entry as kinds
from games.live.archive import store
from games.live.entry import Entry
from games.live.match_state import MatchState
from games.live.setup import MatchSetup, SeatInfo, new_id
from games.models import Match
from games.statistics.models import SoloGame

BEGIN = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
BEGINNER: dict[str, Any] = {"width": 9, "height": 9, "mines": 10}
MINES = (1, 9, 10, 7, 16, 17, 63, 64, 73, 40)
"""Of BEGINNER: three corners are walled off, each a cell of its own. Its 3BV is 4."""
OPENERS = (80, 0, 8, 72)
"""Cells that clear it, one reveal each."""


def played(
    user: User | None,
    *,
    at: datetime = BEGIN,
    clicks: Sequence[tuple[int, dict[str, Any]]],
    mines: Iterable[int] = MINES,
    options: dict[str, Any] | None = None,
    source: str = "solo",
) -> Match:
    """A game of Classic on these mines; clicks are (ms since the one before, action). It is given
    up when they neither clear the board nor strike a mine."""
    given = {**(options or BEGINNER), "no_guess": (options or {}).get("no_guess", False)}
    cells = set(range(given["width"] * given["height"]))
    first = next(
        (a["cell"] for _after, a in clicks if a["type"] == "reveal"), min(cells - {*mines})
    )
    name = user.username if user else "somebody"
    setup = MatchSetup(
        mode="classic",
        version=1,
        seed="ab" * 32,
        seats=[SeatInfo(user.pk if user else None, name, user.kind if user else "guest")],
        options=given,
        rated=False,
        source=source,
        deal=json.dumps({"mines": sorted(mines), "start": first}).encode().hex(),
    )
    t = int(at.timestamp() * 1000)
    entries = [Entry(0, t, kinds.SETUP, None, "", setup.encode())]
    state = MatchState(entries[0])
    for after, action in (*clicks, (1, {"type": "surrender"})):
        if state.outcome() is not None:
            break
        t += after
        number = len(entries)
        body = json.dumps(action).encode()
        entries.append(Entry(number, t, kinds.ACTION, 0, f"c{number}", body))
        state.apply(entries[-1])
    outcome = state.outcome()
    assert outcome is not None
    match_id = new_id()
    assert store(match_id, state, outcome, entries)
    return Match.objects.get(pk=match_id)


def reveals(*cells: int, every: int = 1000) -> list[tuple[int, dict[str, Any]]]:
    """Reveals at human pace: no two pauses are alike."""
    return [(every + 97 * i % 400, {"type": "reveal", "cell": c}) for i, c in enumerate(cells)]


def won(user: User | None, every: int = 1000, **more: Any) -> SoloGame:
    match = played(user, clicks=reveals(*OPENERS, every=every), **more)
    return SoloGame.objects.get(pk=match.pk)


def lost(user: User | None, **more: Any) -> SoloGame:
    match = played(user, clicks=reveals(80, MINES[0]), **more)
    return SoloGame.objects.get(pk=match.pk)
