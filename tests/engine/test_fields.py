"""The reader of strangers' objects: what it takes, what it refuses, and with which words."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.errors import BadAction, BadOptions
from games.engine.fields import LARGEST, action, options

NAN = float("nan")
INFINITY = float("inf")


@pytest.mark.parametrize("raw", [None, 1, "width", [], [["width", 3]], True, NAN])
def test_options_are_an_object(raw: Any) -> None:
    with pytest.raises(BadOptions) as caught:
        options(raw, "width")
    assert caught.value.code == "bad_options"


@pytest.mark.parametrize("raw", [{"depth": 1}, {"width": 1, "depth": 1}, {1: 1}, {None: 1}])
def test_unknown_fields_are_refused_and_the_known_ones_named(raw: Any) -> None:
    with pytest.raises(BadOptions, match="width, height"):
        options(raw, "width", "height")


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [], NAN, INFINITY, 0, 101, 10**400])
def test_whole_numbers_are_bounded_ints(value: Any) -> None:
    with pytest.raises(BadOptions, match="width must be a whole number from 1 to 100"):
        options({"width": value}, "width").whole("width", 1, 100, 5)


def test_whole_numbers_in_bounds() -> None:
    given = options({"width": 7}, "width", "height")
    assert given.whole("width", 1, 100) == 7
    assert given.whole("height", 1, 100, 5) == 5
    with pytest.raises(BadOptions):
        given.whole("height", 1, 100)


@pytest.mark.parametrize("value", [True, "0.2", None, NAN, INFINITY, -INFINITY, 0.36, 10**400, {}])
def test_numbers_are_finite_and_bounded(value: Any) -> None:
    with pytest.raises(BadOptions, match=r"p must be a number from 0.05 to 0.35"):
        options({"p": value}, "p").number("p", 0.05, 0.35, 0.2)


def test_numbers_in_bounds_become_floats() -> None:
    given = options({"p": 1, "q": 0.5}, "p", "q", "r")
    assert [given.number(key, 0, 1, 0.25) for key in "pqr"] == [1.0, 0.5, 0.25]
    assert type(given.number("p", 0, 1)) is float


@pytest.mark.parametrize("value", [0, 1, "true", None, [True]])
def test_flags_are_booleans(value: Any) -> None:
    with pytest.raises(BadOptions, match="on must be true or false"):
        options({"on": value}, "on").flag("on", True)


@pytest.mark.parametrize("value", ["c", 1, None, ["a"], {}])
def test_words_are_one_of_a_closed_set(value: Any) -> None:
    with pytest.raises(BadOptions, match="kind must be one of: a, b"):
        options({"kind": value}, "kind").word("kind", ("a", "b"), "a")


@pytest.mark.parametrize("value", [None, {}, "ab", [1], [{"z": 1}], [{}] * 3])
def test_lists_of_objects_are_bounded_and_checked(value: Any) -> None:
    with pytest.raises(BadOptions):
        options({"ships": value}, "ships").objects("ships", ("cell",), 2)


def test_lists_of_objects() -> None:
    ships = options({"ships": [{"cell": 4}]}, "ships").objects("ships", ("cell",), 2)
    assert [ship.cell() for ship in ships] == [4]


@pytest.mark.parametrize("raw", [None, [], {}, {"type": 1}, {"type": []}, {"type": "leap"}])
def test_an_unknown_action_is_refused(raw: Any) -> None:
    with pytest.raises(BadAction) as caught:
        action(raw, {"claim": ("cell",)})
    assert caught.value.code == "unknown_action"


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "claim"},
        {"type": "claim", "cell": True},
        {"type": "claim", "cell": 1.0},
        {"type": "claim", "cell": LARGEST + 1},
        {"type": "claim", "cell": 1, "more": 1},
    ],
)
def test_an_action_with_bad_fields_is_refused(raw: Any) -> None:
    with pytest.raises(BadAction) as caught:
        action(raw, {"claim": ("cell",)})[1].cell()
    assert caught.value.code == "bad_action"


def test_a_cell_off_the_board_is_not_the_parsers_business() -> None:
    kind, given = action({"type": "claim", "cell": -3}, {"claim": ("cell",)})
    assert (kind, given.cell()) == ("claim", -3)


@pytest.mark.parametrize(
    "value", [None, 3, "12", [], [1, 1], [1, 2, 3, 4], [True], [1.0], [None], [10**400], [[1]], {}]
)
def test_lists_of_numbers_are_bounded_whole_and_different(value: Any) -> None:
    kind, given = action({"type": "strike", "cells": value}, {"strike": ("cells",)})
    assert kind == "strike"
    with pytest.raises(BadAction, match="cells must be a list of 1 to 3 different numbers"):
        given.numbers("cells", 1, 3)


def test_lists_of_numbers() -> None:
    _, given = action({"type": "strike", "cells": [5, -1]}, {"strike": ("cells", "more")})
    assert given.numbers("cells", 1, 3) == (5, -1)
    with pytest.raises(BadAction):
        given.numbers("more", 0, 3)
