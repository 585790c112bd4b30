"""A few thousand of `make fuzz`' inputs, and that it finds what is wrong."""

from __future__ import annotations

import pytest

from games.lines import LineSplitter
from games.manager import session as manager_session
from games.modes.area_attack.text import codec as area_attack_codec
from games.modes.area_attack.text.session import Session as AreaAttackSession
from games.modes.battleship.text import codec as battleship_codec

from .text_fuzzing import PARSERS, fuzz


@pytest.mark.parametrize("parser", PARSERS)
def test_nothing_but_an_answer_and_some_inputs_are_good(parser):
    assert 0 < fuzz(parser, 4000, "in the tests") < 4000


def test_an_exception_that_escapes_is_found(monkeypatch):
    def read_cell(argument):
        return int(argument[1]) * 10 + int(argument[0])

    monkeypatch.setattr(battleship_codec, "read_cell", read_cell)
    with pytest.raises((ValueError, IndexError)) as found:
        fuzz("battleship", 20_000)
    assert "battleship was sent b'" in found.value.__notes__[0]


def test_an_error_that_changes_something_is_found(monkeypatch):
    right = AreaAttackSession.frame

    def wrong(self, text):
        self._size += 1
        return right(self, text)

    monkeypatch.setattr(AreaAttackSession, "frame", wrong)
    with pytest.raises(AssertionError):
        fuzz("area-attack", 20_000)


def test_an_answer_that_repeats_control_characters_is_found(monkeypatch):
    def name_problem(name):
        return f"{name} is no name"

    monkeypatch.setattr(area_attack_codec, "name_problem", name_problem)
    with pytest.raises(AssertionError):
        fuzz("area-attack", 20_000)


def test_memory_that_grows_is_found(monkeypatch):
    monkeypatch.setattr(LineSplitter, "feed", _keeps_everything)
    with pytest.raises(AssertionError):
        fuzz("lines", 20_000)


def _keeps_everything(self, data):
    self._rest += data
    return []


def test_a_number_without_limits_is_found(monkeypatch):
    monkeypatch.setattr(manager_session, "MAX_SIDE", 0)
    monkeypatch.setattr(manager_session, "DEFAULT_SIZE", (0, 0))
    with pytest.raises((ValueError, IndexError, ZeroDivisionError, AssertionError)):
        fuzz("manager", 20_000)
