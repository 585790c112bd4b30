"""The live runtime through the plain consumer, beside the naive way: `python -m bench.runtime`.

One web process under uvicorn's own WebSocket class, with Redis on the same core, every move in the
append-only file before it is acknowledged; rooms of two players who always have a move under way.
The naive way is a channel-layer group send per move, which stores nothing.
"""

from __future__ import annotations

import argparse
import contextlib
from statistics import median

from bench.load.measure import Round, idle_kib, play
from bench.load.servers import Running, serving

NAIVE, OURS, AREA = "channels naive", "minesite, plain ASGI", "plain, Area Attack"
BARS = {OURS: 2500, AREA: 1800}
IDLE_KIB = 60


def row(name: str, rounds: list[Round], naive: float) -> str:
    core = median(each.per_core_second for each in rounds)
    return (
        f"  {name:<24} {median(each.per_second for each in rounds):>9,.0f} {core:>13,.0f}"
        f" {core / naive:>7.1f}x {median(each.p50_ms for each in rounds):>8.1f}"
        f" {median(each.p99_ms for each in rounds):>8.1f}"
        f" {median(each.server_busy for each in rounds):>6.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.runtime", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rooms", type=int, default=100)
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        servers: dict[str, Running] = {
            name: stack.enter_context(serving(name)) for name in (NAIVE, OURS, AREA)
        }
        idle = idle_kib(servers[OURS], 250)
        rounds: dict[str, list[Round]] = {name: [] for name in servers}
        for _ in range(asked.rounds):
            for name, running in servers.items():
                rounds[name].append(play(running, rooms=asked.rooms, seconds=4))
    naive = median(each.per_core_second for each in rounds[NAIVE])
    print(f"\n{asked.rooms} rooms of two, closed loop, medians of {asked.rounds}")
    print(f"  {'server':<24} {'moves/s':>9} {'moves/core s':>13} {'ratio':>8}", end="")
    print(f" {'p50 ms':>8} {'p99 ms':>8} {'busy':>6}")
    for name, each in rounds.items():
        print(row(name, each, naive))
    print(f"\nIdle connection: {idle:.1f} KiB (the bar: {IDLE_KIB})")
    bars = ", ".join(f"{name} {bar:,}" for name, bar in BARS.items())
    print(f"The bars, with a core of its own, p99 below 150 ms: {bars}")


if __name__ == "__main__":
    main()
