"""All benchmarks, one after another: `python -m bench [--quick] [SUBJECT ...]`, or `make bench`.

Each has a time limit; one that takes longer is ended, and the rest go on. The first line tells how
long the whole takes at most, on any machine: 39 minutes for all of them. Then a line tells what
runs and since when.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass

ENDS_WITHIN = 10
"""Seconds that one which took too long has to end what it started."""


@dataclass(frozen=True, slots=True)
class Subject:
    seconds: int
    """It is ended after this long."""
    quick: tuple[str, ...] | None = None
    """Its arguments for a short look, which may take half as long; None: it has no short form."""


SUBJECTS = {
    "engine": Subject(80),
    "solver": Subject(80),
    "minewars": Subject(60),
    "text": Subject(60),
    "lobby": Subject(240, ("--sockets", "1000")),
    "queue": Subject(150, ("--players", "600")),
    "endings": Subject(120, ("--matches", "100")),
    "history": Subject(150, ("50000",)),
    "pages": Subject(240, ("20000",)),
    "beside": Subject(120, ("--seconds", "4")),
    "browser": Subject(80),
    "war": Subject(100),
    "runtime": Subject(90, ("--rounds", "1")),
    "affinity": Subject(70, ("--rounds", "1")),
    "live": Subject(530, ("--quick",)),
}


def limit_of(name: str, quick: bool) -> int:
    subject = SUBJECTS[name]
    return subject.seconds // 2 if quick and subject.quick else subject.seconds


def run(name: str, quick: bool) -> bool:
    short = SUBJECTS[name].quick if quick else None
    limit = limit_of(name, quick)
    command = [sys.executable, "-m", f"bench.{name}", *(short or ())]
    with subprocess.Popen(command) as process:
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            print(f"{name} was ended after {limit} s", flush=True)
            process.terminate()  # it ends what it has started
            try:
                process.wait(ENDS_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
            return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--quick", action="store_true", help="short forms, for a first look")
    asked = parser.parse_args()
    names = asked.subjects or list(SUBJECTS)
    if unknown := [name for name in names if name not in SUBJECTS]:
        parser.error(f"there is no benchmark of: {', '.join(unknown)}")
    most = sum(limit_of(name, asked.quick) + ENDS_WITHIN for name in names)
    print(f"{len(names)} benchmarks, at most {-(-most // 60)} minutes", flush=True)
    begin = time.monotonic()
    failed = []
    for number, name in enumerate(names, 1):
        spent = time.monotonic() - begin
        print(f"\n== {name} ({number} of {len(names)}, after {spent:.0f} s)", flush=True)
        if not run(name, asked.quick):
            failed.append(name)
    print(f"\n{len(names)} benchmarks in {time.monotonic() - begin:.0f} s", end="")
    print(f"; without a result: {', '.join(failed)}" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
