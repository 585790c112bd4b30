"""Golden logs: matches as text files that must replay to the same bytes for ever.

    python -m tests.engine.golden <mode> [count]

plays random matches of the mode's current rules version and writes those that came to an end,
each to a new file `golden/<mode>-v<version>-<number>.log`. A file is never rewritten: when a log
no longer replays, the rules have changed, and the rules version must. The first line is the
set-up, then an entry per line (form: games/contract/replay.py), the last line what came of it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from games.contract.playing import Played, play
from games.contract.replay import Replay, encode
from games.contract.subject import subject_of
from games.engine.registry import TEST_MODES

HERE = Path(__file__).parent / "golden"
MODES_FOLDER = Path(__file__).parents[2] / "games" / "modes"


def folder_of(name: str) -> Path:
    return HERE if name in TEST_MODES else MODES_FOLDER / name.replace("-", "_") / "tests/golden"


def logs() -> list[Path]:
    """Every golden log there is."""
    return sorted([*HERE.glob("*.log"), *MODES_FOLDER.glob("*/tests/golden/*.log")])


def result_of(table: Replay) -> dict[str, Any]:
    outcome = table.game.outcome(table.state)
    return {
        "outcome": None if outcome is None else outcome.as_json(),
        "events": {str(viewer): len(stream) for viewer, stream in table.streams.items()},
        "digest": table.digest(),
    }


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    setup, *entries, result = map(json.loads, path.read_text().splitlines())
    return setup, entries, result


def write(played: Played, number: int) -> Path:
    name, version = played.setup["mode"], played.setup["version"]
    path = folder_of(name) / f"{name}-v{version}-{number}.log"
    lines = [played.setup, *played.entries, result_of(played.table)]
    path.write_bytes(b"".join(encode(line) + b"\n" for line in lines))
    return path


def main(name: str, count: int = 4) -> None:
    """Different endings first: a reason that has no log yet is taken before others."""
    number = len(list(folder_of(name).glob(f"{name}-v*.log")))
    reasons: set[str] = set()
    for seed in range(2000):
        played = play(subject_of(name), f"golden {number} {seed}", 400)
        outcome = played.table.game.outcome(played.table.state)
        long_enough = len(played.entries) >= 15 or seed >= 1000
        if outcome is None or not long_enough or (outcome.reason in reasons and seed < 1500):
            continue
        reasons.add(outcome.reason)
        number += 1
        print(write(played, number), outcome.reason, len(played.entries), "entries")
        count -= 1
        if not count:
            return


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
