"""Every action, event, error code, option and preset of every mode is described."""

from __future__ import annotations

import textwrap
from dataclasses import fields
from pathlib import Path

import pytest

from games.engine.errors import CODES
from games.engine.folding import EVENTS
from games.engine.game import Addressed, Game, Input, Kind, Outcome, Setup
from games.engine.lifecycle import ACTIONS
from games.engine.registry import MODES, REGISTRY, TEST_MODES
from games.engine.registry import game as game_of

DOCS = Path(__file__).parents[2] / "docs"
ENGINE = (DOCS / "engine.md").read_text()


def described(word: str, text: str) -> bool:
    """As code: `word`, or inside the JSON of an action."""
    return f"`{word}`" in text or f'"type": "{word}"' in text or f'"type":"{word}"' in text


def missing(words: list[str], text: str) -> list[str]:
    return [word for word in words if not described(word, text)]


@pytest.mark.parametrize("name", [*MODES, *TEST_MODES])
def test_everything_of_a_mode_is_described(name: str) -> None:
    game = game_of(name)
    spec = game.spec
    rules = DOCS.parent / "games/modes" / name.replace("-", "_") / "RULES.md"
    text = ENGINE if name in TEST_MODES else rules.read_text()
    presets = [p.name for p in REGISTRY[name].presets] if name in REGISTRY else []
    options = [field.name for field in fields(game.parse_options({}))]
    words = [*spec.actions, *spec.events, *spec.codes, *presets, *options]
    assert missing(words, text) == []
    assert described(name, text)


def test_everything_of_the_lifecycle_is_described() -> None:
    assert missing([*ACTIONS, *EVENTS, *CODES], ENGINE) == []


def test_every_mode_is_named() -> None:
    assert [
        name for name in MODES if f"modes/{name.replace('-', '_')}/RULES.md)" not in ENGINE
    ] == []


def test_the_example_runs() -> None:
    """The first block of code on the page."""
    first = ENGINE[ENGINE.index("    from ") : ENGINE.index("## A game")]
    names: dict[str, object] = {}
    exec(textwrap.dedent(first), names)  # noqa: S102
    assert names["views"]


def test_every_method_and_value_is_described() -> None:
    methods = [name for name in vars(Game) if not name.startswith("_")]
    assert [name for name in methods if f"`{name}" not in ENGINE] == []
    values = [field.name for field in fields(Setup)] + list(Input._fields) + list(Kind)
    values += [*Addressed._fields, *(field.name for field in fields(Outcome))]
    assert missing(values, ENGINE) == []
