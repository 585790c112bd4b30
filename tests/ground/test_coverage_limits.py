"""`make coverage` adds up files by package and refuses packages below their limit."""

from __future__ import annotations

import pytest

from tests.coverage_limits import below, by_package, package, table


def measured(lines: int, lines_run: int, branches: int = 0, branches_run: int = 0) -> dict:
    return {
        "summary": {
            "num_statements": lines,
            "covered_lines": lines_run,
            "num_branches": branches,
            "covered_branches": branches_run,
        }
    }


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("accounts/views/entrance.py", "accounts"),
        ("games/models.py", "games"),
        ("games/live/lane/connection.py", "games.live"),
        ("games/modes/race/rules/state.py", "games.modes.race"),
        ("games/modes/__init__.py", "games.modes"),
    ],
)
def test_a_file_counts_in_its_package(path: str, name: str):
    assert package(path) == name


def test_packages_below_their_limit_are_named():
    counted = by_package(
        {
            "files": {
                "accounts/a.py": measured(100, 95, 20, 10),
                "accounts/b.py": measured(80, 80),
                "lobby/a.py": measured(100, 89),
                "games/engine/a.py": measured(100, 96),
                "games/modes/race/a.py": measured(100, 97),
            }
        }
    )
    assert below(counted) == [
        "games.engine: 96.0 % is below 97 %",
        "lobby: 89.0 % is below 90 %",
    ]
    assert "accounts" in table(counted)
    assert "97.2 % of 180" in table(counted)


def test_a_package_without_branches_has_run_all_of_them():
    assert "100.0 % of 0" in table(by_package({"files": {"lobby/a.py": measured(1, 1)}}))
