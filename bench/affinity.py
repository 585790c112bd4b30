"""The gain from match affinity: `python -m bench.affinity [--rounds N]`.

The site with one web process, with two that keep the players of a match together (as `manage.py
up` runs them), and with two that have one player each. All processes and Redis share one core, so
the processor time of a move, in all of them together, is what is compared. Rounds are interleaved;
ratios are medians of those within a round.
"""

from __future__ import annotations

import argparse
import contextlib
from statistics import median

from bench.load.measure import Round, play
from bench.load.servers import Running, serving

ONE, TOGETHER, APART = "minesite", "minesite, 2 with affinity", "minesite, 2 without"
BAR = 1.1
"""The most that a move in two processes with affinity may cost, as a multiple of one in one
process."""


def cost(each: Round) -> float:
    """Microseconds of a core per move."""
    return 1e6 / each.per_core_second


def report(title: str, rounds: dict[str, list[Round]]) -> float:
    """Prints a table; the cost with affinity, of that in one process."""
    print(f"\n{title}")
    print(f"  {'server':<28} {'core us/move':>12} {'of one':>8} {'rounds':>14}", end="")
    print(f" {'moves/s':>9} {'p50 ms':>7} {'p99 ms':>7}")
    ratios = {}
    for name, each in rounds.items():
        by_round = [cost(r) / cost(one) for r, one in zip(each, rounds[ONE], strict=True)]
        ratios[name] = median(by_round)
        print(
            f"  {name:<28} {median(map(cost, each)):>12.1f} {ratios[name]:>7.2f}x"
            f" {f'{min(by_round):.2f} to {max(by_round):.2f}':>14}"
            f" {median(r.per_second for r in each):>9,.0f}"
            f" {median(r.p50_ms for r in each):>7.1f} {median(r.p99_ms for r in each):>7.1f}"
        )
    return ratios[TOGETHER]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.affinity", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=2)
    asked = parser.parse_args()
    with contextlib.ExitStack() as stack:
        servers: dict[str, Running] = {
            name: stack.enter_context(serving(name)) for name in (ONE, TOGETHER, APART)
        }
        for running in servers.values():
            play(running, rooms=50, seconds=1)  # what is loaded once is loaded now
        seen = []
        for under_way in (1, 8):
            rounds: dict[str, list[Round]] = {name: [] for name in servers}
            for number in range(asked.rounds):
                # Forwards and backwards, so that no server always comes first.
                for name in list(servers)[:: -1 if number % 2 else 1]:
                    options = {"rooms": 100, "seconds": asked.seconds, "under_way": under_way}
                    rounds[name].append(play(servers[name], **options))
            seen.append(report(f"100 rooms of two, {under_way} under way per player", rounds))
    held = "held" if max(seen) <= BAR else "MISSED"
    print(f"\nTwo processes with affinity: {max(seen):.2f}x of one at most (<= {BAR}x: {held})")


if __name__ == "__main__":
    main()
