"""The browser's folds are a mirror of the engine's: random matches of every mode, compared."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.contract.playing import new_setup, random_entries
from games.contract.replay import Replay
from games.contract.subject import subject_of
from games.engine.registry import MODES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MATCHES = 12
STEPS = 120


def recorded(mode: str, seed: int) -> list[dict[str, Any]]:
    """One random match: per viewer its first view, then events and the view after them."""
    random = Random(f"fold {mode} {seed}")
    subject = subject_of(mode)
    setup = new_setup(subject, random)
    table = Replay.open(setup)
    streams = {
        viewer: {"name": f"{mode} {seed} {viewer}", "start": json.loads(view), "stream": []}
        for viewer, view in table.views().items()
    }
    for entry in random_entries(table, setup, subject, random, STEPS):
        batch = table.apply(entry)
        views = table.views() if batch else {}
        for viewer, events in batch.items():
            after = {
                "events": [json.loads(event) for event in events],
                "after": json.loads(views[viewer]),
            }
            streams[viewer]["stream"].append(after)
        if table.game.outcome(table.state) is not None:
            break
    return list(streams.values())


@pytest.mark.parametrize("mode", sorted(MODES))
def test_the_browser_folds_as_the_engine_does(mode: str, tmp_path: Path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: the mirror of the engine's folds is compared under node")
    # Bare names, as in the browser's import map: for node they are packages.
    packages = tmp_path / "node_modules"
    shutil.copytree(ROOT / "games/static/games/fold", packages / "games/fold")
    for folder in ROOT.glob("games/modes/*/static/modes/*"):
        shutil.copytree(folder, packages / "modes" / folder.name)
    for folder in packages.iterdir():
        (folder / "package.json").write_text('{"type": "module"}')  # node's word for ES modules
    file = tmp_path / "streams.json"
    streams = [stream for seed in range(MATCHES) for stream in recorded(mode, seed)]
    file.write_text(json.dumps(streams))
    done = subprocess.run(
        [
            node,
            HERE / "fold_parity.mjs",
            packages / "games/fold/fold.js",
            packages / f"modes/{mode}/fold.js",
            file,
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert int(done.stdout) > MATCHES, "too little was compared"
