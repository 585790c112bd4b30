"""A mode as the suite sees it: its game, and what its contract.py offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from games.engine.game import Game, Viewer
from games.engine.mode import Mode
from games.engine.registry import REGISTRY, TEST_MODES

from . import claim
from .defaults import Player, random_options

Entry = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """A mode under test. Everything that its contract.py leaves out has a default; only `perturb`
    may be None."""

    mode: Mode
    package: str
    """The folder of its files."""
    options: Callable[[Random], dict[str, Any]]
    act: Callable[[Random, Any, int], dict[str, Any] | None]
    perturb: Callable[[Random, Any, Viewer], bool] | None = None
    quiet: Callable[[Random, Any, Viewer], list[Entry]] = lambda random, state, viewer: []
    deal: Callable[[Random, Any], bytes] = lambda random, options: b""
    weight: int = 1

    @property
    def game(self) -> Game[Any]:
        return self.mode.game

    @property
    def name(self) -> str:
        return self.mode.name


def subject_of(name: str) -> Subject:
    """A registered mode, or one of the test modes; KeyError when there is none."""
    if name in TEST_MODES:
        return offered_by(claim, TEST_MODES[name], "games.engine")
    return subject(REGISTRY[name], REGISTRY.package(name))


def subject(mode: Mode, package: str) -> Subject:
    """A mode that need not be registered, with what `<package>.contract` offers, if it is there."""
    module = f"{package}.contract"
    return offered_by(import_module(module) if find_spec(module) else None, mode, package)


def offered_by(offer: object, mode: Mode, package: str) -> Subject:
    """Any object with the names of contract.py can be the offer, and None offers nothing."""
    given: dict[str, Any] = {
        "options": lambda random: random_options(random, mode),
        "act": Player(mode).act,
    }
    for name in ("options", "act", "perturb", "quiet", "deal"):
        if (function := getattr(offer, name, None)) is not None:
            given[name] = function
    return Subject(mode, package, weight=int(getattr(offer, "WEIGHT", 1)), **given)
