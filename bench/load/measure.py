"""One round: the generator in a process of its own, the server watched meanwhile."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from bench.load.servers import GENERATOR_CORE, ROOT, Running, pinned

LONGEST_ROUND = 180.0
"""Seconds that one round may take, with the opening of its rooms."""


@dataclass(frozen=True, slots=True)
class Round:
    per_second: float
    """Completed moves per second, by the clock on the wall."""
    per_core_second: float
    """Completed moves per second of processor time that the server used: what one core to itself
    would do. The figure to compare on a machine that has other work."""
    p50_ms: float
    p99_ms: float
    server_busy: float
    """Share of its core that the server used. Well below 1: something else was the limit."""
    generator_busy: float
    moves: int
    micros: float
    """Processor time of the server per move, in microseconds, and of it that of its Redis."""
    redis_micros: float
    number: int = 0
    """The number of the round: those of one number were played one after another."""


def generator(running: Running, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.load", running.adapter]
    command = pinned(GENERATOR_CORE, [*command, *map(str, running.ports), *options])
    pipe = subprocess.PIPE
    env = {**os.environ, **running.env}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdin=pipe, stdout=pipe, text=True)


def expect(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise SystemExit(f"the load generator said {line!r} instead of {word!r}")


def wait_until_quiet(running: Running, longest: float = 15.0) -> None:
    """Whatever is left to do after a round (our site stores finished matches) is done before the
    next one begins: that of another server too, as all are on one core."""
    deadline = time.monotonic() + longest
    while time.monotonic() < deadline:
        before = running.cpu_seconds()
        time.sleep(0.3)
        if running.cpu_seconds() - before < 0.03:
            return


class TookTooLong(Exception):
    """The round was given up; what it said does not count."""


@contextlib.contextmanager
def ended_after(process: subprocess.Popen[str], seconds: float) -> Iterator[None]:
    """End the process if the block takes longer than this, and raise TookTooLong."""
    late = threading.Event()

    def end() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, end)
    timer.start()
    try:
        yield
    except (SystemExit, ValueError):
        if late.is_set():
            raise TookTooLong(f"more than {seconds:.0f} s") from None
        raise
    finally:
        timer.cancel()


def play(running: Running, within: float = LONGEST_ROUND, **options: object) -> Round:
    """Load the server as `python -m bench.load` does with these options. Raises TookTooLong after
    `within` seconds."""
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    with generator(running, *words) as process, ended_after(process, within):
        expect(process, "open")
        expect(process, "start")
        cpu, redis, wall = running.cpu_seconds(), running.redis_seconds(), time.perf_counter()
        expect(process, "stop")
        cpu, redis = running.cpu_seconds() - cpu, running.redis_seconds() - redis
        wall = time.perf_counter() - wall
        assert process.stdout is not None
        result = json.loads(process.stdout.readline())
    wait_until_quiet(running)
    return Round(
        per_second=result["per_second"],
        per_core_second=result["all_moves"] / max(cpu, 0.001),
        p50_ms=result["p50_ms"],
        p99_ms=result["p99_ms"],
        server_busy=cpu / wall,
        generator_busy=result["generator_busy"],
        moves=result["moves"],
        micros=1e6 * cpu / max(1, result["all_moves"]),
        redis_micros=1e6 * redis / max(1, result["all_moves"]),
    )


@contextlib.contextmanager
def idle(
    running: Running, rooms: int, watchers: int = 0, within: float = LONGEST_ROUND
) -> Iterator[int]:
    """Connections that say nothing, while the block runs; their number."""
    options = ["--idle", f"--rooms={rooms}", f"--watchers={watchers}"]
    with generator(running, *options) as process, ended_after(process, within):
        expect(process, "open")
        yield rooms * (2 + watchers)
        process.communicate("enough\n")


def idle_kib(
    running: Running, rooms: int, watchers: int = 0, within: float = LONGEST_ROUND
) -> float:
    """Memory per open connection that says nothing, in KiB."""
    before = running.resident_kib()
    with idle(running, rooms, watchers, within) as connections:
        time.sleep(2)  # what only served the opening is given back, or it is not
        return (running.resident_kib() - before) / connections
