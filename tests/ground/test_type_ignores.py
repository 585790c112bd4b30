"""Every `type: ignore` names what it ignores, and says why."""

from __future__ import annotations

import re
from pathlib import Path

from tests.running_site import ROOT

FOLDERS = ("accounts", "bench", "games", "lobby", "minesite", "tests")
IGNORE = re.compile(r"# type:\s*ignore(?P<codes>\[[a-z, -]+\])?(?P<reason>\s+# \w.*)?")


def unexplained(lines: list[str]) -> list[int]:
    """Lines that ignore a type without naming a code, or without a reason beside or above."""
    found = []
    for number, line in enumerate(lines, 1):
        ignore = IGNORE.search(line)
        has_comment_above = number > 1 and lines[number - 2].lstrip().startswith("# ")
        if ignore and not (ignore["codes"] and (ignore["reason"] or has_comment_above)):
            found.append(number)
    return found


def test_the_check_finds_ignores_without_codes_or_reasons():
    lines = [
        "a = b  # type: ignore",
        "a = b  # type: ignore  # because",
        "a = b  # type: ignore[misc]",
        "a = b  # type: ignore[misc, no-any-return]  # because",
        "# because",
        "a = b  # type: ignore[misc]",
    ]
    assert unexplained(lines) == [1, 2, 3]


def test_every_ignored_type_has_a_reason():
    this = Path(__file__)
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path != this
        for number in unexplained(path.read_text().splitlines())
    ]
    assert found == []
