"""`python -m bench.load SERVER PORT ...`: load a running server, print one JSON object."""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import time
from typing import Any

import uvloop

from bench.load.adapters import ADAPTERS, Adapter
from bench.load.area_attack import AreaAttack, AreaRoom
from bench.load.rooms import Room, Run, closed_loop, fixed_rate, open_rooms

SERVERS = {**ADAPTERS, "area-attack": AreaAttack}


def percentile(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


async def load(adapter: Adapter, asked: argparse.Namespace) -> dict[str, Any]:
    run = Run()
    make_room = AreaRoom if asked.server == "area-attack" else Room
    rooms = await open_rooms(adapter, asked.rooms, asked.watchers, run, make_room)
    say("open")
    if asked.idle:
        # The caller measures the server now, and says when it has.
        await asyncio.to_thread(sys.stdin.readline)
        result: dict[str, Any] = {}
    else:
        cpu = time.process_time()
        wall = time.perf_counter()
        say("start")
        if asked.rate:
            took = await fixed_rate(rooms, run, asked.rate, asked.warm_up, asked.seconds)
        else:
            took = await closed_loop(rooms, run, asked.warm_up, asked.seconds, asked.under_way)
        say("stop")
        busy = (time.process_time() - cpu) / (time.perf_counter() - wall)
        latencies = sorted(run.latencies)
        result = {
            "all_moves": run.completed,
            "moves": len(latencies),
            "seconds": took,
            "per_second": len(latencies) / took,
            "p50_ms": percentile(latencies, 0.50) * 1000,
            "p99_ms": percentile(latencies, 0.99) * 1000,
            "generator_busy": busy,
        }
    for room in rooms:
        adapter.end(room.players)
    await asyncio.sleep(0.5)
    for room in rooms:
        room.close()
    await asyncio.sleep(0.05)
    return result


def say(word: str) -> None:
    """For the caller, which measures the server between these words."""
    print(word, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("server", choices=sorted(SERVERS))
    parser.add_argument("ports", type=int, nargs="+")
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--watchers", type=int, default=0, help="spectators in each room")
    parser.add_argument("--rate", type=float, default=0, help="moves per second; 0: closed loop")
    parser.add_argument("--under-way", type=int, default=1, help="moves of each player at a time")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--warm-up", type=float, default=0.5)
    parser.add_argument("--idle", action="store_true", help="only connect, until a line is read")
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    result = uvloop.run(load(SERVERS[asked.server](asked.ports), asked))
    print(json.dumps(result))


if __name__ == "__main__":
    main()
