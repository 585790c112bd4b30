"""The whole site: an analysis survives the death of the worker that had begun it."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.running_site import RunningSite, new_site, wait_for

pytestmark = pytest.mark.site

LONG = """
from games.live.entry import unpack_log
from tests.analysing.conftest import finished
options = {"size": 40, "attack_at_seconds": 40, "lock_at_seconds": 100, "lock_seconds": 20}
print(finished("area-attack", options))
"""


@pytest.fixture
def own_site(tmp_path: Path):
    running = new_site(tmp_path / "var")
    try:
        running.start()
        yield running
    finally:
        running.stop()


def children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except FileNotFoundError:
        return ""


def worker_of(site: RunningSite) -> int | None:
    assert site.process is not None
    found = [pid for pid in children(site.process.pid) if "manage.py worker" in command(pid)]
    return found[0] if found else None


def computing(worker: int) -> list[int]:
    try:
        return [pid for pid in children(worker) if "games.compute" in command(pid)]
    except FileNotFoundError:
        return []


def test_killed_in_the_middle_of_an_analysis(own_site: RunningSite):
    match = own_site.python(LONG).strip()
    address = f"{own_site.url}/match/{match}/analysis.json"

    def asked() -> int:
        with urlopen(address, timeout=20) as answer:
            return answer.status

    assert asked() == 202
    worker = wait_for(lambda: worker_of(own_site))
    (process,) = wait_for(lambda: computing(worker), what="the process that computes")
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: not command(process), 30, "the end of what it had started")
    wait_for(lambda: worker_of(own_site) not in (None, worker), 30, "another worker")
    wait_for(lambda: asked() == 200, 90, "the analysis")
    with urlopen(address, timeout=20) as answer:
        assert json.load(answer)["marks"]
    left = own_site.python(
        "from games.redis import key, sync_redis\n"
        "print(sync_redis().zcard(key('analysing:analysis')))"
    )
    assert left.strip() == "0"
