"""Promises kept while processes die. Long form: `make chaos N=300`."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from tests.chaos.chaos import Chaos, never
from tests.chaos.checker import check
from tests.chaos.processes import Site

FAULTS = int(os.environ.get("CHAOS_FAULTS", "30"))
SEED = int(os.environ.get("CHAOS_SEED", "1"))


def run_chaos(
    folder: Path, faults: int, bug: str = "", only: str = "", sign: str = ""
) -> list[str]:
    """Everything that the checker finds after this much chaos, or as soon as it finds the sign of
    the bug."""
    site, record = Site(folder, bug=bug), folder / "record"

    def found() -> list[str]:
        return check(record, site.archived())

    def is_found() -> bool:
        return any(sign in line for line in found())

    site.start()
    try:
        with contextlib.closing(Chaos(site, SEED, record)) as chaos:
            kinds = [getattr(chaos, only)] if only else None
            asyncio.run(chaos.run(faults, kinds, is_found if sign else never))
        if not bug:
            site.wait_until_archived(60)
        print(f"faults: {dict(chaos.faults)}; {len(site.archived())} matches")
        assert only != "cut_redis_in_the_middle" or site.proxy.cuts, "nothing was cut"
        return found()
    finally:
        site.stop()


@pytest.mark.timeout(120 + 8 * FAULTS)
def test_no_promise_is_broken(tmp_path):
    assert run_chaos(tmp_path, FAULTS) == []


@pytest.mark.timeout(200)
def test_no_promise_is_broken_when_redis_and_processes_stop_for_long(tmp_path):
    assert run_chaos(tmp_path, 1, only="stop_all_but_one_web") == []


@pytest.mark.timeout(200)
def test_no_promise_is_broken_when_connections_break_in_the_middle_of_a_message(tmp_path):
    assert run_chaos(tmp_path, 8, only="cut_redis_in_the_middle") == []
