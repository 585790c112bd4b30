"""Which files take part."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

SUPPLIED = Path(__file__).resolve().parent / "supplied"
PROJECT = Path(__file__).resolve().parents[2]


class CannotTakePart(Exception):
    """A file or name that is no player; the text names it."""


@dataclass(frozen=True, slots=True)
class Player:
    shown: str
    """As it was named on the command line."""
    path: Path
    lib: Path
    """The folder that the player may import from."""
    ruby: bool = False
    console: bool = False
    """Asks a person: runs without isolation, with the terminal."""


def find(name: str) -> Player:
    """The player of this file, or the supplied one of this name."""
    supplied = {path.stem: path for path in SUPPLIED.glob("*Player.py")}
    if name in supplied:
        console = name == "HumanPlayer"
        return Player(name, supplied[name], PROJECT / "games", console=console)
    path = Path(name).resolve()
    if path.suffix not in (".py", ".rb"):
        known = ", ".join(sorted(supplied))
        raise CannotTakePart(f"{name} is neither a .py or .rb file nor a supplied player ({known})")
    if not path.is_file():
        raise CannotTakePart(f"{name}: there is no such file")
    ruby = path.suffix == ".rb"
    if ruby and shutil.which("ruby") is None:
        raise CannotTakePart(f"{name}: ruby is not installed")
    return Player(name, path, path.parent / "lib", ruby)
