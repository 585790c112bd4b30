"""The process that computes: it answers, it can be given up, and it never outlives its owner."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.compute import ROOT, ComputeError, ComputeProcess, Refusal
from tests.running_site import wait_for


def doubled(given: bytes) -> bytes:
    return given * 2


def whereabouts(given: bytes) -> bytes:
    print("this is no answer")
    return b"%d %d %d" % (os.getpid(), os.nice(0), "django" in sys.modules)


def refused(given: bytes) -> bytes:
    raise Refusal("too_odd", given.decode())


def broken(given: bytes) -> bytes:
    raise ZeroDivisionError("by nobody")


def endless(given: bytes) -> bytes:
    while True:
        time.sleep(0.01)


def dying(given: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


HERE = "tests.analysing.test_compute"


@pytest.fixture
async def process():
    made = ComputeProcess(5)
    yield made
    await made.close()


async def call(process: ComputeProcess, name: str, given: bytes = b"", within: float = 60.0):
    return await process.call(f"{HERE}:{name}", given, within)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_one_process_answers_call_after_call(process):
    large = os.urandom(3_000_000)
    assert await call(process, "doubled", large) == large * 2
    asked = [call(process, "doubled", b"%d" % number) for number in range(20)]
    assert await asyncio.gather(*asked) == [b"%d%d" % (n, n) for n in range(20)]
    pid, niceness, _django = map(int, (await call(process, "whereabouts")).split())
    assert (pid, niceness) == (process.pid, os.nice(0) + 5)


async def test_errors_come_back_and_the_process_goes_on(process):
    with pytest.raises(ComputeError, match="too_odd: seven"):
        await call(process, "refused", b"seven")
    with pytest.raises(ComputeError, match="failed: ZeroDivisionError: by nobody"):
        await call(process, "broken")
    with pytest.raises(ComputeError, match="failed: "):
        await call(process, "unheard_of")
    assert await call(process, "doubled", b"1") == b"11"


async def test_a_call_that_takes_too_long_is_given_up(process):
    await call(process, "doubled")
    pid = process.pid
    with pytest.raises(ComputeError) as error:
        await call(process, "endless", within=0.2)
    assert error.value.code == "too_slow"
    assert not is_running(pid)
    assert await call(process, "doubled", b"1") == b"11"


async def test_a_process_that_dies_is_replaced(process):
    with pytest.raises(ComputeError) as error:
        await call(process, "dying")
    assert error.value.code == "died"
    assert await call(process, "doubled", b"1") == b"11"


def test_it_ends_when_its_owner_is_killed():
    code = (
        "import asyncio\n"
        "from games.compute import ComputeProcess\n"
        "async def main():\n"
        "    process = ComputeProcess(0)\n"
        f"    await process.call('{HERE}:doubled', b'', 60)\n"
        "    print(process.pid, flush=True)\n"
        "    await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert is_running(pid)
        owner.kill()
    wait_for(lambda: not is_running(pid), what="the end of the process")


def test_the_rules_need_no_django():
    """So that it starts at once and stays small."""
    code = "import sys, games.replay_data, games.analysis; print('django' in sys.modules)"
    printed = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "False"
