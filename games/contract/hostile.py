"""Strangers' input by the million: `python -m games.contract.hostile [count]`, or `make fuzz`.

Every mode's `parse_options` and `parse_action` get random values and random changes of good ones.
The only exceptions allowed are BadOptions and BadAction, with a known code and a short sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from random import Random
from typing import Any

from games.contract import mode_module
from games.engine.errors import CODES, BadAction, BadOptions
from games.engine.game import Game
from games.engine.registry import MODES, REGISTRY, TEST_MODES, game

GAMES = {name: game(name) for name in (*MODES, *TEST_MODES)}
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


def presets_of(game: Game[Any]) -> list[Mapping[str, Any]]:
    mode = REGISTRY.get(game.spec.name)
    return [preset.options for preset in mode.presets] if mode else []


def known_words(game: Game[Any]) -> list[str]:
    """Words that get past the first checks."""
    names = [key for preset in presets_of(game) for key in preset]
    return [
        *game.spec.actions, *names, "type", "cell", "on", "ready", "surrender", "claim_win",
        "width", "height", "mines", "seconds", "size", "density", "ships", "length", "vertical",
        "first", "turn_seconds", "setup_seconds", "pick_seconds", "target", "city", "unit",
    ]  # fmt: skip


class Fuzzer:
    """Endless hostile values for one mode."""

    def __init__(self, name: str, seed: object) -> None:
        self.game = GAMES[name]
        self.random = Random(f"{name} {seed}")
        self.words = known_words(self.game)
        self.module = mode_module(name)
        self.seen: list[Any] = [{}, *map(dict, presets_of(self.game))]
        self.seen += [{"type": kind} for kind in (*self.game.spec.actions, "ready")]
        self.seen += [{"type": kind, "cell": 3} for kind in self.game.spec.actions]
        self.seen += [{"type": kind, "cell": 3, "on": True} for kind in self.game.spec.actions]

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
            good = dict(self.module.options(random))
        for _ in range(random.randint(0, 2)):
            key = random.choice([*good, random.choice(self.words)])
            if random.random() < 0.2:
                good.pop(key, None)
            else:
                good[key] = self.value(depth - 1)
        return good


def refuse_or_take(game: Game[Any], raw: Any) -> bool:
    """Did either parser take it? Raises when a parser does anything but take or refuse."""
    taken = False
    for parse, error_type in ((game.parse_options, BadOptions), (game.parse_action, BadAction)):
        try:
            hash(parse(raw))
            taken = True
        except error_type as error:
            if error.code not in CODES and error.code not in game.spec.codes:
                raise AssertionError(f"{error.code} is in no list of codes") from error
            if not error.text.endswith(".") or not len(error.text) <= SENTENCE:
                raise AssertionError(f"not a sentence: {error.text[:400]}") from error
            error.text.encode()  # lone surrogates would fail here
    return taken


def fuzz(name: str, count: int, seed: object = 0) -> int:
    """How many of `count` values were taken."""
    fuzzer = Fuzzer(name, seed)
    taken = 0
    for _ in range(count):
        taken += refuse_or_take(fuzzer.game, fuzzer.value())
    return taken


def main(count: int) -> None:
    each = -(-count // len(GAMES))
    for name in GAMES:
        print(f"{name}: {each:,} inputs, {fuzz(name, each):,} of them good", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
