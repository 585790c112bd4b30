"""`make attack`: honest matches beside every attack, alone and behind nginx, with one and two web
processes. Prints how long acknowledgements take on a quiet machine, beside an attacker that sends
as much elsewhere, and beside the attack; and how much of a core the web processes use.

The attacker has to run on this machine, too. Beside it everything takes longer, whomever it floods:
so the ratio that counts is the one to an attacker which uses as much processor time, with as many
system calls, against a socket of its own.

    python -m tests.hardening.attack [seconds] [name of a setup or an attack]...
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext

import psutil

from tests.deploy.nginx import Nginx, Web
from tests.deploy.players import make_matches
from tests.hardening.attacks import ATTACKS, Attack, Target, sending_elsewhere
from tests.hardening.flooding import processor_seconds
from tests.hardening.probe import probing
from tests.running_site import RunningSite, new_site

SETUPS = {
    "alone, 1 web": (1, False),
    "alone, 2 webs": (2, False),
    "nginx, 1 web": (1, True),
    "nginx, 2 webs": (2, True),
}
PROBES = 4
"""Matches at a time; each has ten moves a second."""
MOST = 2.0
"""The ratio that is promised."""


@dataclass(frozen=True)
class Measured:
    milliseconds: list[float]
    """Of every acknowledgement; infinite for a probe that lost its connection."""
    web: float
    """The share of a core that the web processes used meanwhile."""
    attacker: float
    """And the attacker."""

    @property
    def p99(self) -> float:
        return percentile(self.milliseconds, 0.99)


@dataclass
class Setup:
    site: RunningSite
    url: str
    port: int
    trusting: SSLContext | None
    webs: list[int]
    """The process ids of those that serve the probes."""

    def core_seconds(self) -> float:
        return sum(processor_seconds(pid) for pid in self.webs)

    def measure(self, seconds: float, attack: Attack | None = None) -> Measured:
        matches = make_matches(self.site, PROBES + 1)
        with ExitStack() as stack:
            probes = [
                stack.enter_context(probing(self.url, matches, match_id, self.trusting))
                for match_id in matches.ids[:PROBES]
            ]
            time.sleep(0.5)
            warm = [len(probe.milliseconds) for probe in probes]
            begin, used = time.monotonic(), self.core_seconds()
            attacker_seconds = 0.0
            if attack is not None:
                target = Target(
                    self.port, self.site.tcp_port, self.trusting is not None, matches.ids[-1]
                )
                attacker_seconds = _run(attack, target, seconds)
            else:
                time.sleep(seconds)
            passed = time.monotonic() - begin
            share = (self.core_seconds() - used) / passed
        times = [ms for p, first in zip(probes, warm, strict=True) for ms in p.milliseconds[first:]]
        if any(probe.lost for probe in probes):
            times.append(float("inf"))
        return Measured(times, share, attacker_seconds / passed)


def _run(attack: Attack, target: Target, seconds: float) -> float:
    """In a process of its own; returns the processor time that this took."""
    used = multiprocessing.Value("d", 0.0)

    def run() -> None:
        os.nice(19)
        attack(target, time.monotonic() + seconds)
        used.value = time.process_time()

    attacker = multiprocessing.get_context("fork").Process(target=run)
    attacker.start()
    attacker.join(seconds + 30)
    attacker.kill()
    return float(used.value)


def _stop(site: RunningSite) -> None:
    try:
        site.stop()
    except subprocess.TimeoutExpired:  # on a machine that is very busy
        assert site.process is not None
        site.process.kill()
        site.process.wait()


@contextmanager
def running(webs: int, behind_nginx: bool) -> Iterator[Setup]:
    """A site with the limits that it has by default."""
    defaults = {"REQUESTS_PER_ADDRESS": "10"}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="attack-")))
        processes = 1 if behind_nginx else webs
        site = new_site(folder / "var", WEB_PROCESSES=str(processes), **defaults)
        stack.callback(_stop, site)
        site.start()
        if not behind_nginx:
            assert site.process is not None
            children = psutil.Process(site.process.pid).children()
            pids = [child.pid for child in children if "web" in child.cmdline()]
            yield Setup(site, site.url, site.port, None, pids)
            return
        started = [Web(site) for _ in range(webs)]
        for web in started:
            stack.callback(web.kill)
        (folder / "nginx").mkdir()
        proxy = Nginx(folder / "nginx", (started * 2)[:2], site.data_dir / "static")
        stack.callback(proxy.stop)
        yield Setup(site, proxy.url, proxy.https_port, proxy.trusting, [web.pid for web in started])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main(arguments: list[str]) -> int:
    seconds = float(arguments.pop(0)) if arguments else 6.0
    setups = [name for name in SETUPS if name in arguments] or list(SETUPS)
    attacks = [name for name in ATTACKS if name in arguments] or list(ATTACKS)
    print(
        f"{'setup':<15} {'attack':<28} {'quiet':>7} {'beside':>7} {'attack':>7} {'max':>7} "
        f"{'ratio':>6} {'to quiet':>8} {'web':>6} {'attacker':>8}"
    )
    worst = 0.0
    for setup_name in setups:
        with running(*SETUPS[setup_name]) as setup:
            for name in attacks:
                quiet = setup.measure(seconds)
                during = setup.measure(seconds, ATTACKS[name])
                beside = setup.measure(seconds, sending_elsewhere(during.attacker))
                ratio = during.p99 / beside.p99
                worst = max(worst, ratio)
                print(
                    f"{setup_name:<15} {name:<28} {quiet.p99:>7.1f} {beside.p99:>7.1f} "
                    f"{during.p99:>7.1f} {max(during.milliseconds):>7.1f} {ratio:>6.2f} "
                    f"{during.p99 / quiet.p99:>8.2f} {during.web:>6.1%} {during.attacker:>8.1%}",
                    flush=True,
                )
    print(f"worst ratio {worst:.2f}, promised {MOST:.1f}")
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
