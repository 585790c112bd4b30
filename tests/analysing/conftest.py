from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from random import Random
from typing import Any

import pytest

from games.analysing import worker
from games.bots.roster import ROSTER
from games.demo.playing import play
from games.engine import registry
from games.live.archive import store
from games.live.entry import Entry
from games.live.setup import MatchSetup, SeatInfo, new_id

SMALL: dict[str, Any] = {"width": 9, "height": 9, "mines": 10}


def finished(mode: str = "race", options: dict[str, Any] | None = None, seats: int = 2) -> str:
    """A match that two bots have played, in the archive."""
    return archived(played(mode, options, seats)[0])


def played(
    mode: str = "race", options: dict[str, Any] | None = None, seats: int = 2
) -> tuple[list[Entry], Any]:
    setup = MatchSetup(
        mode=mode,
        version=registry.game(mode).spec.version,
        seed="ab" * 32,
        seats=[SeatInfo(None, f"Player {number}", "guest") for number in range(seats)],
        options=SMALL if options is None else options,
        rated=False,
        source="queue",
    )
    state, entries = play(setup, [ROSTER[5]] * seats, Random(7), 1_790_000_000_000)
    return entries, state


def archived(entries: list[Entry]) -> str:
    from games.live.match_state import run

    state, _events = run(entries)
    outcome = state.outcome()
    assert outcome is not None
    match_id = new_id()
    store(match_id, state, outcome, entries)
    return match_id


@pytest.fixture
def running_worker() -> Callable[[], AbstractAsyncContextManager[asyncio.Task[None]]]:
    """The worker's job, for as long as one looks."""

    @contextlib.asynccontextmanager
    async def start() -> AsyncIterator[asyncio.Task[None]]:
        stop = asyncio.Event()
        job = asyncio.create_task(worker.run(stop))
        try:
            yield job
        finally:
            stop.set()
            await job

    return start
