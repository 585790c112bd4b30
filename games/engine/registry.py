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


class Registry(Mapping[str, Mode]):
    """Modes by name, in the order of the pages. The built-in ones are loaded when first needed."""

    def __init__(self) -> None:
        self._modes: dict[str, Mode] | None = None
        self._packages: dict[str, str] = {}

    @property
    def loaded(self) -> dict[str, Mode]:
        """The modes registered so far, with the built-in ones."""
        if self._modes is None:
            self._modes = {}
            for package in built_in():
                self.add(package)
        return self._modes

    def add(self, package: str) -> Mode:
        """Register the `MODE` in `<package>.mode`. Adding a package again changes nothing."""
        known = self.loaded
        for name, other in self._packages.items():
            if other == package:
                return known[name]
        mode: Mode = import_module(f"{package}.mode").MODE
        if mode.name in known:
            raise ValueError(
                f"{package} and {self._packages[mode.name]} both have a mode named {mode.name}."
            )
        self._packages[mode.name] = package
        added = sorted([*known.values(), mode], key=lambda each: (each.order, each.name))
        known.clear()
        known.update((each.name, each) for each in added)
        return mode

    def package(self, name: str) -> str:
        """The package that this mode comes from."""
        self.loaded.__getitem__(name)
        return self._packages[name]

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
    """The mode of this name, a test mode too; KeyError when there is none."""
    return REGISTRY[name] if name in REGISTRY else TEST_MODES[name]


def game(name: str) -> Game[Any]:
    """The game of this mode; KeyError when there is none."""
    return mode(name).game
