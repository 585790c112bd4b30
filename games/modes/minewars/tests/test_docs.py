"""Everything a client meets is in games/modes/minewars/RULES.md."""

from __future__ import annotations

from pathlib import Path

from games.engine.registry import MODES
from games.modes.minewars.rules.presets import PRESETS, Options
from tests.engine.table import Table

DOCS = (Path(__file__).parents[1] / "RULES.md").read_text()
SPEC = MODES["minewars"].spec


def test_every_action_event_code_option_and_preset_is_documented() -> None:
    for action in SPEC.actions:
        assert f'{{"type": "{action}"' in DOCS
    for word in (*SPEC.events, *SPEC.codes, *Options.__slots__, *PRESETS):
        assert f"| `{word}`" in DOCS, word
    for code, text in SPEC.codes.items():
        assert f"| `{code}` | {text}" in DOCS


def test_every_field_of_the_view_is_documented() -> None:
    view = Table("minewars", 2, radius=8).look(0)["game"]
    table = DOCS.split("## View")[1].split("## Error codes")[0]
    for field in view:
        assert f"`{field}`" in table, field
