"""Promises kept while processes die. Long form: `make chaos N=300`."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from tests.chaos.chaos import MATCH_SECONDS, Chaos
from tests.chaos.checker import check
from tests.chaos.processes import Site

FAULTS = int(os.environ.get("CHAOS_FAULTS", "30"))
SEED = int(os.environ.get("CHAOS_SEED", "1"))


def run_chaos(folder: Path, faults: int, bug: str = "", only: tuple[str, ...] = ()) -> list[str]:
    """Everything that the checker finds after this much chaos."""
    site = Site(folder, bug=bug)
    site.start()
    try:
        seconds = 6 if bug else MATCH_SECONDS
        with contextlib.closing(Chaos(site, SEED, folder / "record", seconds)) as chaos:
            asyncio.run(chaos.run(faults, [getattr(chaos, name) for name in only]))
        site.wait_until_archived(5 if bug else 60)
        print(f"faults: {dict(chaos.faults)}; {len(site.archived())} matches")
        return check(folder / "record", site.archived())
    finally:
        site.stop()


@pytest.mark.timeout(120 + 8 * FAULTS)
def test_no_promise_is_broken(tmp_path):
    assert run_chaos(tmp_path, FAULTS) == []
