"""One process kept running: small commands in place of the site's own."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from minesite.supervisor import Child, python

# Starts something that shares its output and lives on, as the worker does, and tells both ids.
FAMILY = """
import os, subprocess, time
print(os.getpid(), subprocess.Popen(["sleep", "600"]).pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
async def family(tmp_path: Path) -> AsyncIterator[Child]:
    child = Child("family", python("-c", FAMILY), tmp_path)
    child.start()
    yield child
    await child.stop(5)


async def said(child: Child, other_than: str = "") -> str:
    """The first line of a process, other than the one before."""
    async with asyncio.timeout(30):
        while child.last_line == other_than:
            await asyncio.sleep(0.01)
    return child.last_line


def alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")
async def test_a_killed_process_takes_its_children_along_and_starts_again_at_once(family: Child):
    first = await said(family)
    parent, helper = map(int, first.split())
    os.kill(parent, signal.SIGKILL)
    # Its helper holds the output open; nobody waits for that.
    again = await said(family, other_than=first)
    async with asyncio.timeout(10):
        while alive(helper):
            await asyncio.sleep(0.01)
    assert int(again.split()[0]) != parent
    log = (family.log_dir / "family.log").read_text()
    assert "was ended by signal 9; it starts again in 0.2 s" in log


async def test_last_words_are_heard_before_the_end(tmp_path: Path):
    child = Child("brief", python("-c", "print('x' * 70_000); print('so long')"), tmp_path)
    await child.start_once()
    async with asyncio.timeout(30):
        while child.running:
            await asyncio.sleep(0)
    assert child.last_line == "so long"
    await child.stop(5)


async def test_a_process_that_does_not_end_is_ended(tmp_path: Path):
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    deaf += "print('deaf', flush=True); time.sleep(600)"
    child = Child("deaf", python("-c", deaf), tmp_path)
    child.start()
    await said(child)
    await child.stop(0.1)
    assert not child.running
    assert child.process is not None
    assert child.process.returncode == -signal.SIGKILL
