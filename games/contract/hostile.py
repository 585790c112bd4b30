"""Strangers' input by the million: `python -m games.contract.hostile [count]`, or `make fuzz`.

Every mode's `parse_options` and `parse_action` get random values and random changes of good ones.
The only exceptions allowed are BadOptions and BadAction, with a known code and a short sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from games.engine.errors import CODES, BadAction, BadOptions, GameError
from games.engine.game import Game
from games.engine.registry import MODES, TEST_MODES

from .failure import Broken, shortened
from .subject import Subject, subject_of

HOSTILE = "hostile input is refused"
SENTENCE = 300
"""No refusal is longer: it goes to a person."""

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**53, -(2**63), 10**400, -(10**400), 0.0, -0.0, 0.5, 1.0,
    1e308, float("nan"), float("inf"), float("-inf"), "", "0", "1", "true", "\x00", "\ud800", "é",
    "a" * 5000, [], {}, [[]], [{}], {"": None}, b"bytes", (), {1: 2}, {None: 1}, {("a",): 1},
]  # fmt: skip


def deep(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"type": value}
    return value


def known_words(subject: Subject) -> list[str]:
    """Words that get past the first checks."""
    mode = subject.mode
    return [
        *subject.game.spec.actions, *(option.name for option in mode.options),
        *(key for preset in mode.presets for key in preset.options), "type", "cell", "cells", "on",
        "ready", "surrender", "claim_win", "seconds", "width", "height", "size", "ships", "item",
    ]  # fmt: skip


class Fuzzer:
    """Endless hostile values for one mode."""

    def __init__(self, subject: Subject, seed: object) -> None:
        self.random = Random(f"{subject.name} {seed}")
        self.words = known_words(subject)
        self.options = subject.options
        actions = subject.game.spec.actions
        self.seen: list[Any] = [{}]
        self.seen += [dict(preset.options) for preset in subject.mode.presets]
        self.seen += [{"type": kind} for kind in (*actions, "ready")]
        self.seen += [{"type": kind, "cell": 3} for kind in actions]
        self.seen += [{"type": kind, "cell": 3, "on": True} for kind in actions]

    def value(self, depth: int = 3) -> Any:
        random = self.random
        dice = random.random()
        if dice < 0.25 or depth == 0:
            return random.choice(ODD)
        if dice < 0.4:
            return random.randint(-3, 120)
        if dice < 0.5:
            return random.choice(self.words)
        if dice < 0.51:
            return deep(random.choice([3, 50, 5000]))
        if dice < 0.6:
            return [self.value(depth - 1) for _ in range(random.randint(0, 6))]
        if dice < 0.8:
            keys = [random.choice(self.words) for _ in range(random.randint(0, 5))]
            return {key: self.value(depth - 1) for key in keys}
        return self.changed(depth)

    def changed(self, depth: int) -> Any:
        """A good value with one or two things wrong."""
        random = self.random
        good = dict(random.choice(self.seen))
        if random.random() < 0.3:
            good = dict(self.options(random))
        for _ in range(random.randint(0, 2)):
            key = random.choice([*good, random.choice(self.words)])
            if random.random() < 0.2:
                good.pop(key, None)
            else:
                good[key] = self.value(depth - 1)
        return good


def refuse_or_take(game: Game[Any], raw: Any) -> bool:
    """Did either parser take it? Raises Broken when a parser does anything but take or refuse."""
    taken = False
    for parse, refusal in ((game.parse_options, BadOptions), (game.parse_action, BadAction)):
        name = parse.__name__
        try:
            hash(parse(raw))
            taken = True
        except refusal as error:
            if problem := _problem(game, error):
                raise Broken(HOSTILE, f"{name}() {problem}", entry=raw) from error
        except Exception as error:
            text = f"{name}() raised {type(error).__name__} instead of {refusal.__name__}: {error}"
            raise Broken(HOSTILE, shortened(text), entry=raw) from error
    return taken


def _problem(game: Game[Any], error: GameError) -> str:
    if error.code not in CODES and error.code not in game.spec.codes:
        return f"refused with the code {error.code}, which is not in spec.codes."
    if not error.text.endswith(".") or len(error.text) > SENTENCE:
        return f"refused with something that isn't a short sentence: {error.text[:SENTENCE]}"
    try:
        error.text.encode()
    except UnicodeEncodeError:
        return "repeats characters of the input that can't be sent."
    return ""


def fuzz(
    subject: Subject, count: int, seed: object = 0, progress: Callable[[], object] = lambda: None
) -> int:
    """Try `count` values; returns the number of those that were taken."""
    fuzzer = Fuzzer(subject, seed)
    taken = 0
    for _ in range(count):
        taken += refuse_or_take(subject.game, fuzzer.value())
        progress()
    return taken


def main(count: int) -> None:
    names = [*MODES, *TEST_MODES]
    each = -(-count // len(names))
    for name in names:
        taken = fuzz(subject_of(name), each)
        print(f"{name}: {each:,} inputs, {taken:,} of them good", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
