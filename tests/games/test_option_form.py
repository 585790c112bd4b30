"""Forms and sentences made from a mode's options."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.utils import translation

from games.engine.options import Flag, Whole, Word
from games.engine.registry import modes
from games.option_form import OptionForm, option_texts, usual_preset

MODES = modes()


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_a_form_asks_for_every_option_once(mode):
    form = OptionForm(mode)
    shown = [field.name for field in (*form.asked(), *form.more())]
    assert sorted(shown) == sorted(
        {option.name for option in mode.options} | set(["preset"] if mode.presets else [])
    )
    html = str(form)
    for option in mode.options:
        if option.name == "preset":
            continue
        assert f'name="option-{option.name}"' in html
        if isinstance(option, Whole) and not option.choices:
            assert f'min="{option.low}"' in html
            assert f'max="{option.high}"' in html


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_the_defaults_of_the_declaration_are_those_of_the_rules(mode):
    parsed = mode.game.parse_options({})
    assert {option.name for option in mode.options} == set(parsed.__dataclass_fields__)
    for option in mode.options:
        assert getattr(parsed, option.name) == option.default
        mode.game.parse_options({option.name: option.default})


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_choice_of_a_form_is_valid(mode):
    for option in mode.options:
        for value, text in () if isinstance(option, Flag) else option.choices:
            assert text
            mode.game.parse_options({option.name: value})
    for preset in mode.presets:
        mode.game.parse_options(dict(preset.options))


def test_options_are_told_in_words():
    assert option_texts("area-attack", {"freeze_seconds": 10, "size": 20}) == [
        "Field: small, 20 × 20",
        "Freeze time: 10 s",
    ]
    assert option_texts("race", {"width": 9, "height": 9, "mines": 10, "no_guess": False}) == [
        "Board: Beginner",
        "No-guess board: no",
    ]
    assert option_texts("minewars", {"topology": "square"}) == ["Tiles: squares"]
    assert option_texts("race", {}) == []


def test_words_are_in_the_language_of_the_page():
    with translation.override("de"):
        assert option_texts("area-attack", {"freeze_seconds": 10}) == [
            "Dauer des Einfrierens: 10 s"
        ]


def test_the_usual_preset_says_the_same_as_the_defaults():
    usual = {mode.name: usual_preset(mode) for mode in MODES}
    assert usual["race"].name == "expert"
    assert usual["classic"].name == "beginner"
    assert usual["minewars"].name == "duel"
    assert usual["battleship"] is None


def test_without_such_a_preset_a_form_begins_with_the_standard():
    race = next(mode for mode in MODES if mode.name == "race")
    form = OptionForm(replace(race, presets=race.presets[:1], first_steps=()))
    field = form["preset"]
    assert field.value() == ""
    assert [name for name, _ in field.field.choices] == ["", "beginner"]


def test_an_option_whose_default_depends_on_others_is_left_empty():
    area = next(mode for mode in MODES if mode.name == "area-attack")
    field = OptionForm(area)["min_start_distance"]
    assert field.value() is None
    assert not field.field.required
    assert 'data-default="null"' in str(field)


def test_options_of_a_mode_that_is_gone_are_not_told():
    assert option_texts("gone", {"size": 3}) == []


def test_option_schemas_are_json():
    for mode in MODES:
        for option in mode.options:
            schema = json.loads(json.dumps(option.schema()))
            assert schema["default"] == option.default
            assert schema["title"]
            if isinstance(option, Word):
                assert option.default in schema["enum"]
