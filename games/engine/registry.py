"""Every mode, by name.

The modes of this package are found by their folders in `games/modes/`. The site adds those of
`EXTRA_MODES` when it starts (games/apps.py); nothing here needs Django.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from .claim import ClaimRules
from .game import Game
from .mode import Mode

FOLDER: Final = Path(__file__).parents[1] / "modes"


def built_in() -> list[str]:
    """The packages of the modes that come with the site."""
    return [f"games.modes.{path.parent.name}" for path in sorted(FOLDER.glob("*/mode.py"))]


def load(package: str) -> Mode:
    """The `MODE` of this package; raises ValueError when its `mode.py` has none."""
    mode = getattr(import_module(f"{package}.mode"), "MODE", None)
    if not isinstance(mode, Mode):
        raise ValueError(f"{package}.mode has no MODE of the class games.engine.mode.Mode.")
    return mode


class Registry(Mapping[str, Mode]):
    """Modes by name, in the order of the pages. The built-in ones are loaded when first needed."""

    def __init__(self) -> None:
        self._modes: dict[str, Mode] | None = None
        self._packages: dict[str, str] = {}

    @property
    def loaded(self) -> dict[str, Mode]:
        """The modes registered so far, with the built-in ones."""
        if self._modes is None:
            found = {package: load(package) for package in built_in()}
            self._modes = {}
            for package, mode in found.items():
                self._register(package, mode)
        return self._modes

    def add(self, package: str) -> Mode:
        """Register the `MODE` in `<package>.mode`. Adding a package again changes nothing."""
        known = self.loaded
        for name, other in self._packages.items():
            if other == package:
                return known[name]
        mode = load(package)
        self._register(package, mode)
        return mode

    def _register(self, package: str, mode: Mode) -> None:
        assert self._modes is not None
        if mode.name in self._modes:
            other = self._packages[mode.name]
            raise ValueError(f"{package} and {other} both have a mode named {mode.name}.")
        for one in self._modes.values():
            if mode.daily is not None and one.daily is not None:
                raise ValueError(
                    f"{mode.name} and {one.name} both have a board of the day; only one can."
                )
        self._packages[mode.name] = package
        ordered = sorted([*self._modes.values(), mode], key=lambda each: (each.order, each.name))
        self._modes.clear()
        self._modes.update((each.name, each) for each in ordered)

    def package(self, name: str) -> str:
        """The package that this mode comes from."""
        self.loaded.__getitem__(name)
        return self._packages[name]

    @property
    def packages(self) -> list[str]:
        """The packages that modes come from, for another process to load the same ones."""
        return [package for name, package in self._packages.items() if name in self.loaded]

    def __getitem__(self, name: str) -> Mode:
        return self.loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.loaded)

    def __len__(self) -> int:
        return len(self.loaded)


class Games(Mapping[str, Game[Any]]):
    """The games of a registry's modes."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def __getitem__(self, name: str) -> Game[Any]:
        return self._registry[name].game

    def __iter__(self) -> Iterator[str]:
        return iter(self._registry)

    def __len__(self) -> int:
        return len(self._registry)


REGISTRY: Final = Registry()

MODES: Final[Mapping[str, Game[Any]]] = Games(REGISTRY)
"""The game of every mode that people play."""

TEST_MODES: dict[str, Mode] = {
    "claim": Mode(name="claim", title="Claim", blurb="Take more cells.", rules=ClaimRules())
}
"""Modes for tests and benchmarks; never offered to players."""


def modes() -> list[Mode]:
    """Every mode, in the order of the pages."""
    return list(REGISTRY.values())


def mode(name: str) -> Mode:
    """The mode of this name; KeyError when there is none."""
    return REGISTRY[name]


def game(name: str) -> Game[Any]:
    """The game of this mode, or of a test mode; KeyError when there is none."""
    return (REGISTRY[name] if name in REGISTRY else TEST_MODES[name]).game
