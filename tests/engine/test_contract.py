"""The contract of every registered mode (games/contract/).

CONTRACT_MATCHES sets how many random matches a mode gets.
"""

from __future__ import annotations

import os

import pytest

from games.contract.declaration import check_declaration
from games.contract.matches import check_matches
from games.contract.options import check_options
from games.contract.subject import subject_of
from games.engine.registry import MODES, TEST_MODES

NAMES = [*MODES, *TEST_MODES]
MATCHES = int(os.environ.get("CONTRACT_MATCHES", "2000"))
# The matches of a mode are split, so that a failure is near its seed.
PARTS = 8


def weight(name: str) -> int:
    return 1 if os.environ.get("CONTRACT_FULL") else subject_of(name).weight


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", NAMES)
def test_random_matches_keep_the_contract(name: str, part: int) -> None:
    numbers = range(part, MATCHES // weight(name), PARTS)
    tally = check_matches(subject_of(name), numbers)
    assert tally.matches == len(numbers)


@pytest.mark.parametrize("name", NAMES)
def test_the_declaration_is_complete(name: str) -> None:
    check_declaration(subject_of(name))


@pytest.mark.parametrize("name", NAMES)
def test_options_survive_the_log(name: str) -> None:
    assert check_options(subject_of(name)) == 200
