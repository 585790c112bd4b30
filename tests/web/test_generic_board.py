"""The generic board's modules that need no page: it folds as the engine does, and knows where
cells are."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.engine.boardgame import changes
from games.engine.grid import hex_rows
from tests.engine.test_boardgame import random_view

ROOT = Path(__file__).parents[2]
GENERIC = ROOT / "games/static/games/generic"


def run(tmp_path: Path, script: str, given: Any) -> Any:
    """The JSON that a script prints; it can import the folder's modules, and reads `given`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    folder = tmp_path / "generic"
    shutil.copytree(GENERIC, folder)
    (folder / "package.json").write_text('{"type": "module"}')  # node's word for ES modules
    (folder / "given.json").write_text(json.dumps(given))
    start = (
        'import { readFileSync } from "node:fs";\n'
        'const given = JSON.parse(readFileSync(new URL("given.json", import.meta.url), "utf8"));\n'
    )
    (folder / "script.js").write_text(start + script)
    done = subprocess.run(
        [node, folder / "script.js"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


FOLD = """
import { fold } from "./fold.js";
for (const { view, event } of given) fold(view, event);
console.log(JSON.stringify(given.map(({ view }) => view)));
"""


def test_the_browser_folds_as_the_engine_does(tmp_path: Path) -> None:
    random = Random(14)
    views = [random_view(random) for _ in range(40)]
    pairs = [
        (before, after, event)
        for before in views
        for after in views
        if (event := changes(before, after)) is not None
    ]
    assert len(pairs) > 1000
    given = [{"view": before, "event": event} for before, _, event in pairs]
    assert run(tmp_path, FOLD, given) == [after for _, after, _ in pairs]


LAYOUT = """
import { centre, step } from "./layout.js";
const { width, height } = given;
const cells = Array.from({ length: width * height }, (_, cell) => cell);
const near = cells.map((cell) => {
  const here = centre(given, cell);
  return cells.filter((other) => {
    const there = centre(given, other);
    return other !== cell && Math.hypot(there.x - here.x, there.y - here.y) < 101;
  });
});
const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const steps = cells.map((cell) => keys.map((key) => step(given, cell, key)));
const ends = [step(given, 7, "Home"), step(given, 7, "End", true)];
console.log(JSON.stringify({ near, steps, ends }));
"""


def test_hexagons_that_touch_are_the_engines_neighbours(tmp_path: Path) -> None:
    width, height = 5, 4
    cells = ["plain"] * (width * height)
    cells[6] = "void"
    grid = hex_rows(width, height)
    given = {"grid": "hex", "width": width, "height": height, "cells": cells}
    found = run(tmp_path, LAYOUT, given)
    assert found["near"] == [list(grid.neighbours[cell]) for cell in range(grid.size)]
    assert found["steps"][7] == [5, 8, 2, 12], "left of cell 7 is a gap"
    assert found["steps"][0] == [0, 1, 0, 5]
    assert found["ends"] == [5, 19]
