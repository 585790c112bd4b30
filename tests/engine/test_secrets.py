"""Non-interference, for every mode with hidden information.

CONTRACT_PAIRS sets how many pairs of states a mode gets.
"""

from __future__ import annotations

import os

import pytest

from games.contract.secrecy import check_secrecy
from games.contract.subject import subject_of
from games.engine.registry import MODES, TEST_MODES, game

from .test_contract import weight

HIDDEN = [name for name in (*MODES, *TEST_MODES) if game(name).spec.hidden]
PAIRS = int(os.environ.get("CONTRACT_PAIRS", "1000"))


@pytest.mark.parametrize("name", HIDDEN)
def test_secrets_do_not_reach_a_viewer(name: str) -> None:
    subject = subject_of(name)
    assert subject.perturb is not None
    assert check_secrecy(subject, PAIRS // weight(name)) >= PAIRS // weight(name)
