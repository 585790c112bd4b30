"""Lines and branches that the tests ran, by package: the second half of `make coverage`.

    python -m tests.coverage_limits [--report-only]

Ends with 1 if a package is below its limit. A package's share counts lines and branches together,
as coverage.py does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath

from tests.running_site import ROOT

LIMIT = 90.0
PURE_LIMIT = 97.0
PURE = ("games.engine", "games.modes.")
REPORT = ROOT / "var" / "coverage" / "report.json"

Counts = Counter[str]


def package(path: str) -> str:
    """The package that a file is counted in: `games` and `games.modes` by their folders."""
    folders = PurePath(path).parts[:-1]
    depth = 3 if folders[:2] == ("games", "modes") else 2 if folders[0] == "games" else 1
    return ".".join(folders[:depth])


def by_package(
    report: Mapping[str, Mapping[str, Mapping[str, Mapping[str, int]]]],
) -> dict[str, Counts]:
    counted: dict[str, Counts] = {}
    for path, measured in sorted(report["files"].items()):
        summary = measured["summary"]
        counted.setdefault(package(path), Counter()).update(
            lines=summary["num_statements"],
            lines_run=summary["covered_lines"],
            branches=summary["num_branches"],
            branches_run=summary["covered_branches"],
        )
    return counted


def percent(run: int, all_of_them: int) -> float:
    return 100.0 * run / all_of_them if all_of_them else 100.0


def share(counts: Counts) -> float:
    return percent(
        counts["lines_run"] + counts["branches_run"], counts["lines"] + counts["branches"]
    )


def limit(name: str) -> float:
    return PURE_LIMIT if name.startswith(PURE) else LIMIT


def below(counted: Mapping[str, Counts]) -> list[str]:
    """A line for each package that is below its limit."""
    return [
        f"{name}: {share(counts):.1f} % is below {limit(name):.0f} %"
        for name, counts in counted.items()
        if share(counts) < limit(name)
    ]


def table(counted: Mapping[str, Counts]) -> str:
    rows = [f"{'package':<26}{'lines':>14}{'branches':>16}{'together':>10}{'limit':>7}"]
    for name, counts in counted.items():
        lines = f"{percent(counts['lines_run'], counts['lines']):.1f} % of {counts['lines']}"
        branches = (
            f"{percent(counts['branches_run'], counts['branches']):.1f} % of {counts['branches']}"
        )
        rows.append(
            f"{name:<22}{lines:>18}{branches:>16}{share(counts):>8.1f} %{limit(name):>5.0f} %"
        )
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report-only", action="store_true", help="end with 0 in any case")
    asked = parser.parse_args()
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "combine", "--quiet"], cwd=ROOT, check=True)
    subprocess.run([*coverage, "json", "--quiet", "-o", str(REPORT)], cwd=ROOT, check=True)
    counted = by_package(json.loads(REPORT.read_text()))
    print(table(counted))
    missing = below(counted)
    print(*missing, sep="\n")
    return 1 if missing and not asked.report_only else 0


if __name__ == "__main__":
    sys.exit(main())
