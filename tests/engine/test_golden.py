"""Logs of earlier days replay to the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.contract.replay import Replay
from games.engine.registry import MODES, TEST_MODES, game

from .golden import logs, read, result_of

LOGS = logs()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_replays(path: Path) -> None:
    setup, entries, result = read(path)
    table = Replay.open(setup)
    for entry in entries:
        table.apply(entry)
    assert result_of(table) == result


@pytest.mark.parametrize("name", [*MODES, *TEST_MODES])
def test_the_current_rules_of_every_mode_have_golden_logs(name: str) -> None:
    version = game(name).spec.version
    assert any(path.name.startswith(f"{name}-v{version}-") for path in LOGS)
