"""A finding of a check."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Level(Enum):
    GOOD = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


class Finding(NamedTuple):
    level: Level
    text: str
    remedy: str = ""
    """The remedy, as a sentence."""


def good(text: str) -> Finding:
    return Finding(Level.GOOD, text)


def warning(text: str, remedy: str) -> Finding:
    return Finding(Level.WARNING, text, remedy)


def problem(text: str, remedy: str) -> Finding:
    return Finding(Level.PROBLEM, text, remedy)
