"""The same by coverage: `python -m tests.engine.fuzzing_guided -runs=100000` (needs atheris).

Bytes are read as JSON, as the site reads a stranger's message; what is no JSON is not looked at.
"""

from __future__ import annotations

import json
import sys

import atheris

with atheris.instrument_imports(include=["games.engine"]):
    from games.contract.hostile import known_words, refuse_or_take
    from games.contract.subject import subject_of
    from games.engine.registry import MODES, TEST_MODES

SUBJECTS = [subject_of(name) for name in (*MODES, *TEST_MODES)]
WORDS = sorted({word for subject in SUBJECTS for word in known_words(subject)})
LITERALS = ["null", "true", "false", "NaN", "Infinity", "1e999", "-1", "0", "3", "9" * 400, '""']


def one_input(data: bytes) -> None:
    """Each byte adds a piece of JSON, so that most inputs get to the parsers."""
    game = SUBJECTS[data[0] % len(SUBJECTS) if data else 0].game
    refuse_or_take(game, _object(data[1:]))
    try:
        raw = json.loads(data[1:])
    except (ValueError, RecursionError):
        return
    refuse_or_take(game, raw)


def _object(data: bytes) -> object:
    made: dict[str, object] = {}
    for key, value in zip(data[::2], data[1::2], strict=False):
        word = WORDS[value % len(WORDS)]
        choices = (word, value, json.loads(LITERALS[value % len(LITERALS)]), [made.copy()])
        made[WORDS[key % len(WORDS)]] = choices[value % 4]
    return made


def main() -> None:
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
