"""The same, guided by coverage: `python -m tests.lobby.text_fuzzing_guided -runs=100000`.

Needs atheris.
"""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(
    include=["games.contest", "games.manager", "games.modes", "lobby.text"]
):
    from .text_fuzzing import GOOD, PARSERS

TARGETS = {name: make() for name, make in PARSERS.items()}
NAMES = list(PARSERS)


def one_input(data: bytes) -> None:
    """The first byte chooses the parser, the second how much of a good input comes before."""
    if len(data) < 2:
        return
    name = NAMES[data[0] % len(NAMES)]
    good = GOOD[name][data[1] % len(GOOD[name])]
    TARGETS[name].take(good[: data[1] // len(GOOD[name])] + data[2:])


def main() -> None:
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
