"""All benchmarks, one after another: `python -m bench [--quick] [SUBJECT ...]`, or `make bench`.

Each has a time limit, so that the whole ends within 20 minutes on any machine; one that takes
longer is ended, and the rest go on. A line tells what runs and since when.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass


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
    "history": Subject(150, ("50000",)),
    "browser": Subject(80),
    "runtime": Subject(100, ("--rounds", "1")),
    "live": Subject(580, ("--quick",)),
}


def run(name: str, quick: bool) -> bool:
    subject = SUBJECTS[name]
    short = subject.quick if quick else None
    limit = subject.seconds // 2 if short else subject.seconds
    command = [sys.executable, "-m", f"bench.{name}", *(short or ())]
    with subprocess.Popen(command) as process:
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            print(f"{name} was ended after {limit} s", flush=True)
            process.terminate()  # it ends what it has started
            try:
                process.wait(10)
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
