"""Live matches beside their peers: `python -m bench.live [--quick] [--rounds N] [--only PART ...]`.

All run the same trivial game (claim a cell of 30x30; the server checks the claim and sends it to
everybody in the room), loaded by the same generator, the server with all it needs (Redis, for
those that use it) on one core, the generator on another. Rounds are interleaved and the median
counts. Moves per core second are moves per second of processor time that the server used, so that
other work on the machine disturbs them little; at full load on a quiet machine they are the moves
per second on the wall's clock, which stand beside them.

Full load comes in two forms. With eight moves of every player under way the servers are busy all
the time: the most that a core can do. With one, every move waits for all copies of the one before:
mostly the cost of waking up, of a read and of a write. Ratios are medians of those within a round.

Each part has a time limit: no round begins after it, and one that is under way is given up soon
after. A server that has no round by then is left out of the table. `--quick`: one short round, few
servers, a few minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from typing import Any

from bench.load.measure import Round, TookTooLong, idle_kib, play
from bench.load.plot import bars, page
from bench.load.servers import NODE_PEERS, Running, peers_installed, serving

RESULTS = Path(__file__).parent / "results"
OURS, OURS_PLAIN = "minesite", "minesite, plain ASGI"
OURS_AREA = "minesite, Area Attack"
NAIVE, PLAIN, ALONE = "channels naive", "channels plain", "lane alone"
ALONE_STORED = "lane and log alone"
"""Lower bounds: the least that a site on our lane does, and on our log."""
QUICK = [OURS, "colyseus", "ws", ALONE]
"""Servers that the finer questions are asked of."""
UNDER_WAY = 8
"""Moves of each player, where the servers are to be busy all the time."""


class Budget:
    """The length of a part, and how much is measured in it."""

    def __init__(self, rounds: int, seconds: float, quick: bool = False) -> None:
        self.rounds, self.seconds, self.quick = rounds, seconds, quick
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        return self._end - time.monotonic()

    def measured(self, seconds: float) -> float:
        """The seconds to measure where so many would be good."""
        return seconds / 2 if self.quick else seconds


@contextlib.contextmanager
def given_up(name: str) -> Iterator[None]:
    """A round that takes too long is left out, and the rest goes on."""
    try:
        yield
    except TookTooLong as late:
        print(f"  {name}: a round was given up after {late}")


def rounds_of(
    servers: dict[str, Running], budget: Budget, **options: object
) -> dict[str, list[Round]]:
    """Every server once per round, so that a busy minute of the machine hits them all. Those that
    got no round within the budget are not in the answer."""
    results: dict[str, list[Round]] = {name: [] for name in servers}
    for number in range(budget.rounds):
        for name, running in servers.items():
            if budget.left() <= 0:
                break
            with given_up(name):
                played = play(running, within=budget.left() + 15, **options)
                results[name].append(replace(played, number=number))
    missing = [name for name, rounds in results.items() if not rounds]
    if missing:
        print(f"  no time left for: {', '.join(missing)}")
    return {name: rounds for name, rounds in results.items() if rounds}


def ratios(rounds: list[Round], base: list[Round]) -> list[float]:
    """Moves per core second, of those of another server in the same round, in their order."""
    others = {each.number: each.per_core_second for each in base}
    return sorted(r.per_core_second / others[r.number] for r in rounds if r.number in others)


def middle(rounds: list[Round], value: Callable[[Round], float]) -> float:
    return median(value(each) for each in rounds)


def table(title: str, head: list[str], rows: list[list[str]]) -> None:
    print(f"\n{title}")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  " + "  ".join(cells))


def chart(
    results: dict[str, Any], title: str, values: dict[str, float], form: str = "{:,.0f}"
) -> None:
    results.setdefault("charts", {})[title] = {"values": values, "form": form}


def full_load(
    title: str,
    base: str,
    servers: dict[str, Running],
    budget: Budget,
    results: dict[str, Any],
    under_way: int = 1,
) -> None:
    """100 rooms, every player always with so many moves under way; ratios to the server `base`."""
    seconds = budget.measured(3)
    measured = rounds_of(servers, budget, rooms=100, seconds=seconds, under_way=under_way)
    if base not in measured:
        return
    keys = [each.name for each in fields(Round) if each.name != "number"]
    figures = {
        name: {key: median(getattr(one, key) for one in each) for key in keys}
        for name, each in measured.items()
    }
    results[title] = figures
    rows = []
    for name, figure in figures.items():
        of_base = ratios(measured[name], measured[base])
        for other in measured:
            if of_other := ratios(measured[name], measured[other]):
                figure[f"of {other}"] = median(of_other)
        rows.append([name, f"{figure['per_core_second']:,.0f}", f"{median(of_base):.2f}x"])
        rows[-1] += [f"{of_base[0]:.2f} to {of_base[-1]:.2f}"]
        rows[-1] += [f"{figure['micros']:.1f}", f"{figure['redis_micros']:.1f}"]
        rows[-1] += [f"{figure['per_second']:,.0f}"]
        rows[-1] += [f"{figure[key]:.1f}" for key in ("p50_ms", "p99_ms")]
        rows[-1] += [f"{figure[key]:.2f}" for key in ("server_busy", "generator_busy")]
    head = ["server", "moves/core s", f"of {base}", "rounds", "us/move", "of it Redis", "moves/s"]
    table(title, [*head, "p50 ms", "p99 ms", "busy", "generator"], rows)
    chart(
        results,
        f"{title}: moves per core second",
        {name: figure["per_core_second"] for name, figure in figures.items()},
    )


def fixed_rate(servers: dict[str, Running], budget: Budget, results: dict[str, Any]) -> None:
    """Latency well below saturation."""
    rate = 1500
    measured = rounds_of(servers, budget, rooms=100, rate=rate, seconds=budget.measured(4))
    figures = {
        name: {
            "p50_ms": middle(each, lambda r: r.p50_ms),
            "p99_ms": middle(each, lambda r: r.p99_ms),
        }
        for name, each in measured.items()
    }
    results[f"fixed rate, {rate} moves/s"] = figures
    rows = [[name, f"{f['p50_ms']:.2f}", f"{f['p99_ms']:.2f}"] for name, f in figures.items()]
    table(f"Latency at {rate:,} moves/s, 100 rooms", ["server", "p50 ms", "p99 ms"], rows)
    chart(
        results,
        f"p99 latency in ms at {rate:,} moves/s",
        {name: figure["p99_ms"] for name, figure in figures.items()},
        "{:.2f}",
    )


def spectators(servers: dict[str, Running], budget: Budget, results: dict[str, Any]) -> None:
    """10 matches with 50 spectators each: 52 copies of every move."""
    copies = 52
    measured = rounds_of(servers, budget, rooms=10, watchers=50, seconds=budget.measured(3))
    figures = {
        name: {
            "copies_per_core_second": copies * middle(each, lambda r: r.per_core_second),
            "p99_ms": middle(each, lambda r: r.p99_ms),
        }
        for name, each in measured.items()
    }
    results["spectators, 10 matches of 50"] = figures
    rows = [
        [name, f"{f['copies_per_core_second']:,.0f}", f"{f['p99_ms']:.1f}"]
        for name, f in figures.items()
    ]
    table("10 matches, 50 spectators each", ["server", "copies/core s", "p99 ms"], rows)
    chart(
        results,
        "Copies per core second, 10 matches with 50 spectators each",
        {name: figure["copies_per_core_second"] for name, figure in figures.items()},
    )


def growth(servers: dict[str, Running], budget: Budget, results: dict[str, Any]) -> None:
    """The cost of a move as matches grow in number. Opening the rooms is most of the time."""
    counts = [10, 100, 2000]
    figures: dict[str, dict[int, float]] = {name: {} for name in servers}
    for count in counts:
        measured = rounds_of(servers, budget, rooms=count, seconds=budget.measured(3))
        for name, each in measured.items():
            figures[name][count] = 1e6 / middle(each, lambda r: r.per_core_second)
    results[COSTS] = figures
    rows, ratios = [], {}
    for name, by_count in figures.items():
        rows.append([name, *[f"{by_count[n]:.0f}" if n in by_count else "-" for n in counts]])
        if {100, 2000} <= set(by_count):
            ratios[name] = by_count[2000] / by_count[100]
        rows[-1].append(f"{ratios[name]:.2f}x" if name in ratios else "-")
    head = ["server", *[f"{count:,}" for count in counts], "2,000 : 100"]
    table("Microseconds of a core per move, by number of rooms", head, rows)
    if ratios:
        chart(results, "Cost of a move at 2,000 rooms, of that at 100", ratios, "{:.2f}x")


def memory(names: list[str], budget: Budget, results: dict[str, Any]) -> None:
    """Fresh servers, 1,000 connections in 500 rooms that say nothing."""
    figures = {}
    for name in names:
        if budget.left() <= 0:
            print(f"  no time left for: {name}")
            continue
        with serving(name) as running, given_up(name):
            play(running, rooms=20, seconds=1)  # what is loaded once is loaded now
            figures[name] = idle_kib(running, 500, within=budget.left() + 15)
    results["KiB per idle connection"] = figures
    rows = [[name, f"{kib:.1f}", f"{kib * 1000 / 1024:.1f}"] for name, kib in figures.items()]
    table("Memory of 1,000 idle connections", ["server", "KiB each", "MiB per 1,000"], rows)
    chart(results, "KiB per idle connection", figures, "{:.1f}")


def verdict(results: dict[str, Any]) -> None:
    """The figures beside their targets, as far as they were measured this time."""
    rows = []

    def row(what: str, seen: float, bar: float, form: str, at_least: bool = True) -> None:
        held = seen >= bar if at_least else seen <= bar
        wanted = f"{'>=' if at_least else '<='} {form.format(bar)}"
        rows.append([what, form.format(seen), wanted, "held" if held else "MISSED"])

    busy, waiting = results.get(BUSY, {}), results.get(WAITING, {})
    if OURS in busy and "colyseus" in busy:
        what = f"{UNDER_WAY} moves under way"
        row(f"moves, of Colyseus, {what}", busy[OURS]["of colyseus"], 1.5, "{:.2f}x")
        p99 = busy["colyseus"]["p99_ms"]
        row(f"p99, of Colyseus' own, {what}", busy[OURS]["p99_ms"], p99, "{:.1f} ms", False)
    if OURS in waiting and "colyseus" in waiting:
        row("moves, of Colyseus, one under way", waiting[OURS]["of colyseus"], 1.0, "{:.2f}x")
        p99 = 1.2 * waiting["colyseus"]["p99_ms"]
        row(
            "p99, of 1.2 times theirs, one under way",
            waiting[OURS]["p99_ms"],
            p99,
            "{:.1f} ms",
            False,
        )
        row("Redis per move, one under way", waiting[OURS]["redis_micros"], 2.5, "{:.1f} us", False)
    for what, figures in (("one", waiting), (str(UNDER_WAY), busy)):
        if OURS in figures and OURS_PLAIN in figures:
            gain = figures[OURS][f"of {OURS_PLAIN}"]
            row(f"the lane's gain over plain ASGI, {what} under way", gain, 1.5, "{:.2f}x")
    for peer, bar in (("boardgame.io", 10), (NAIVE, 30)):
        if OURS in waiting and peer in waiting:
            row(f"moves, of {peer}, one under way", waiting[OURS][f"of {peer}"], bar, "{:.1f}x")
    area = results.get(OWN, {}).get(OURS_AREA)
    if area:
        row("moves of Area Attack a core second", area["per_core_second"], 20000, "{:,.0f}")
    rate = results.get("fixed rate, 1500 moves/s", {}).get(OURS)
    if rate:
        row("p50 at 1,500 moves a second", rate["p50_ms"], 0.35, "{:.2f} ms", False)
    idle = results.get("KiB per idle connection", {}).get(OURS)
    if idle:
        row("an idle connection", idle, 12, "{:.1f} KiB", False)
    costs = results.get(COSTS, {}).get(OURS, {})
    if {100, 2000} <= set(costs):
        row("a move at 2,000 rooms, of 100", costs[2000] / costs[100], 1.3, "{:.2f}x", False)
    if rows:
        table("The bars", ["what", "seen", "wanted", ""], rows)


BUSY = f"Trivial game, 100 rooms of two, {UNDER_WAY} moves of every player under way"
WAITING = "Trivial game, 100 rooms of two, one move of every player under way"
OWN = "Our site: a trivial game and a real one"
COSTS = "microseconds of a core per move, by rooms"

PARTS = {
    "busy": 110,
    "waiting": 130,
    "ours": 35,
    "rate": 40,
    "spectators": 50,
    "growth": 110,
    "memory": 50,
}
"""Each with the seconds that it may take; a third of that when it must be quick."""


def write(results: dict[str, Any]) -> None:
    """After every part, so that an end from outside costs only the part that runs. Those that did
    not run this time keep their last figures."""
    if not results.get("charts"):
        return
    RESULTS.mkdir(exist_ok=True)
    if (RESULTS / "live.json").exists():
        last = json.loads((RESULTS / "live.json").read_text())
        if last.get("form") != results["form"]:
            last = {}
        charts = {**last.get("charts", {}), **results["charts"]}
        results = {**last, **results, "charts": charts}
    (RESULTS / "live.json").write_text(json.dumps(results, indent=2) + "\n")
    shapes = [bars(title, **data) for title, data in results["charts"].items()]
    (RESULTS / "live.svg").write_text(page(shapes))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.live")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--quick", action="store_true", help="one short round, few servers")
    parser.add_argument("--limit", type=float, help="seconds for each part")
    asked = parser.parse_args()
    if asked.quick:
        asked.rounds = 1

    def budget(part: str, rounds: int = asked.rounds) -> Budget:
        write(results)
        print(f"\n... {part}", flush=True)
        seconds = asked.limit or PARTS[part] / (3 if asked.quick else 1)
        return Budget(rounds, seconds, asked.quick)

    # Ended from outside, it still ends the servers that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    names = [OURS, OURS_PLAIN, NAIVE, PLAIN, ALONE, ALONE_STORED]
    if peers_installed():
        names[2:2] = NODE_PEERS
    else:
        print("Node is not here: the peers from npm are left out.")
    if asked.quick:
        names = [name for name in names if name in QUICK]
    base = "colyseus" if "colyseus" in names else OURS
    results: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, {platform.system()}, Python "
        f"{platform.python_version()}",
        "form": 3,
    }
    with contextlib.ExitStack() as stack:

        def started(*names: str) -> dict[str, Running]:
            servers = {name: stack.enter_context(serving(name)) for name in names}
            for running in servers.values():
                with given_up(running.name):
                    play(running, rooms=50, seconds=1.5)  # compilers have seen the code once
            return servers

        servers = (
            started(*names)
            if "waiting" in asked.only
            else started(*[n for n in names if n in (*QUICK, OURS_PLAIN, ALONE_STORED)])
        )
        quick = {name: servers[name] for name in QUICK if name in servers}
        if "busy" in asked.only:
            some = {n: r for n, r in servers.items() if n in (*QUICK, OURS_PLAIN, ALONE_STORED)}
            rounds = asked.rounds + (0 if asked.quick else 2)
            full_load(BUSY, base, some, budget("busy", rounds), results, UNDER_WAY)
        if "waiting" in asked.only:
            full_load(WAITING, base, servers, budget("waiting"), results)
        if "ours" in asked.only:
            ours = {OURS: servers[OURS], **started(OURS_AREA)}
            full_load(OWN, OURS, ours, budget("ours"), results)
        if "rate" in asked.only:
            fixed_rate(quick, budget("rate"), results)
        if "spectators" in asked.only:
            spectators(quick, budget("spectators"), results)
        if "growth" in asked.only:
            growth(quick, budget("growth", rounds=1), results)
    if "memory" in asked.only:
        memory([name for name in QUICK if name in names], budget("memory"), results)
    write(results)
    verdict(results)
    print(f"\nWritten to {RESULTS.relative_to(Path.cwd())}/live.json and live.svg")


if __name__ == "__main__":
    main()
