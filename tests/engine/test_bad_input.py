"""Every mode takes a stranger's input or refuses it with a code and a sentence."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.contract.hostile import ODD, deep, fuzz, known_words, refuse_or_take
from games.contract.subject import subject_of
from games.engine.registry import MODES, TEST_MODES

NAMES = [*MODES, *TEST_MODES]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 120),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=20),
)


def values(words: list[str]) -> st.SearchStrategy[Any]:
    keys = st.one_of(st.sampled_from(words), st.text(max_size=5))
    leaves = st.one_of(SCALARS, st.sampled_from(words))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=6), st.dictionaries(keys, inner, max_size=6)
        ),
        max_leaves=25,
    )


@pytest.mark.parametrize("name", NAMES)
def test_any_json_is_taken_or_refused(name: str) -> None:
    subject = subject_of(name)
    game = subject.game
    words = known_words(subject)
    action = st.fixed_dictionaries(
        {"type": st.sampled_from(words)},
        optional={word: values(words) for word in ("cell", "on", "ships")},
    )

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(values(words), action))
    def check(raw: Any) -> None:
        refuse_or_take(game, raw)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_odd_values_everywhere(name: str) -> None:
    """Each odd value alone, and as each field of an action and of the options."""
    subject = subject_of(name)
    game = subject.game
    for odd in [*ODD, deep(100_000)]:
        refuse_or_take(game, odd)
        for word in known_words(subject):
            refuse_or_take(game, {word: odd})
            for kind in game.spec.actions:
                refuse_or_take(game, {"type": kind, word: odd})


@pytest.mark.parametrize("name", NAMES)
def test_a_quick_run_of_the_fuzzer(name: str) -> None:
    taken = fuzz(subject_of(name), 4_000, "quick")
    assert 40 < taken < 3_000, "good and bad input both get through to the parsers"
