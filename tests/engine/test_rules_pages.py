"""Every mode has a page of rules that names all its options, actions, events and error codes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from games.engine.registry import MODES, REGISTRY

MODES_FOLDER = Path(__file__).parents[2] / "games" / "modes"


@pytest.mark.parametrize("name", MODES)
def test_the_page_names_everything(name: str) -> None:
    page = (MODES_FOLDER / name.replace("-", "_") / "RULES.md").read_text()
    game = MODES[name]
    spec = game.spec
    options = asdict(game.parse_options({}))
    presets = [preset.name for preset in REGISTRY[name].presets]
    missing = [
        word for word in (*options, *spec.events, *spec.codes, *presets) if f"`{word}`" not in page
    ]
    missing += [
        word
        for word in spec.actions
        if not any(f"{before}{word}" in page for before in ('"type": "', '"type":"', "`"))
    ]
    assert not missing
