"""The options of a mode, each declared once: how it is read, and what people are told of it.

    SIZE = Whole("size", 16, 100, 40, label=gettext_noop("Size"), unit=gettext_noop("cells"))

`SIZE.read(given)` takes the value out of what a stranger sent (fields.py). Forms, API schemas,
invitations and docs are made from the same declaration. Texts are English here; pages translate
them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .fields import Fields


def gettext_noop(text: str) -> str:
    """Marks a text for translation. It is translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number."""

    name: str
    low: int
    high: int
    default: int
    label: str
    help: str = ""
    unit: str = ""
    choices: tuple[tuple[int, str], ...] = ()
    """Values that a form offers, with their texts. Others in the range are valid too."""
    advanced: bool = False
    """A form shows it only to people who ask for more options."""
    derived: bool = False
    """The true default depends on other options; a form leaves the field empty."""

    def read(self, given: Fields, *, high: int | None = None, default: int | None = None) -> int:
        """The value, or the default; raises BadOptions. `high` and `default` replace the declared
        ones where they depend on other options."""
        return given.whole(
            self.name,
            self.low,
            self.high if high is None else high,
            self.default if default is None else default,
        )

    def schema(self) -> dict[str, Any]:
        """The option as a JSON schema."""
        return _schema(self, type="integer", minimum=self.low, maximum=self.high)


@dataclass(frozen=True, slots=True)
class Number:
    """A number that need not be whole."""

    name: str
    low: float
    high: float
    default: float
    label: str
    help: str = ""
    unit: str = ""
    choices: tuple[tuple[float, str], ...] = ()
    advanced: bool = False
    derived: bool = False

    def read(
        self, given: Fields, *, high: float | None = None, default: float | None = None
    ) -> float:
        return given.number(
            self.name,
            self.low,
            self.high if high is None else high,
            self.default if default is None else default,
        )

    def schema(self) -> dict[str, Any]:
        return _schema(self, type="number", minimum=self.low, maximum=self.high)


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    name: str
    default: bool
    label: str
    help: str = ""
    advanced: bool = False

    def read(self, given: Fields) -> bool:
        return given.flag(self.name, self.default)

    def schema(self) -> dict[str, Any]:
        return _schema(self, type="boolean")


@dataclass(frozen=True, slots=True)
class Word:
    """One of a few words."""

    name: str
    choices: tuple[tuple[str, str], ...]
    """Each word with its text."""
    default: str
    label: str
    help: str = ""
    advanced: bool = False

    def read(self, given: Fields) -> str:
        return given.word(self.name, tuple(word for word, _ in self.choices), self.default)

    def schema(self) -> dict[str, Any]:
        return _schema(self, type="string", enum=[word for word, _ in self.choices])


Option = Whole | Number | Flag | Word


def _schema(option: Option, **limits: Any) -> dict[str, Any]:
    described = {"title": option.label, **limits, "default": option.default}
    return {**described, "description": option.help} if option.help else described


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of options, complete as input of `parse_options`."""

    name: str
    title: str
    options: Mapping[str, Any]
    note: str = ""
    """Its meaning, in a few words."""
    size: int | None = None
    """The number of players that it is made for; None: as many as the mode takes."""
