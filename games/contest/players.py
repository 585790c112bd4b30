"""Finds the player files of a contest."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

SUPPLIED = Path(__file__).resolve().parent / "supplied"
PROJECT = Path(__file__).resolve().parents[2]


class CannotTakePart(Exception):
    """A player that the contest can't start with: a stable code, and a sentence that names it."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Player:
    shown: str
    """As it was named on the command line, but safe to print."""
    path: Path
    lib: Path
    """The folder that the player may import from."""
    ruby: bool = False
    trusted: bool = False
    """Runs as an ordinary process, without a sandbox."""
    console: bool = False
    """Asks a person: runs in this process, with the terminal."""


def printable(text: str) -> str:
    """This text with everything escaped that a terminal would obey instead of showing it."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def find(name: str, trust: bool = False) -> Player:
    """The player of this file, or the supplied one of this name, which is always trusted."""
    shown = printable(name)
    supplied = {path.stem: path for path in SUPPLIED.glob("*Player.py")}
    if name in supplied:
        console = name == "HumanPlayer"
        return Player(name, supplied[name], PROJECT, trusted=True, console=console)
    # The person who named the file chose the way to its folder; the file itself must not be a link.
    path = Path(name).parent.resolve() / Path(name).name
    if path.suffix not in (".py", ".rb"):
        known = ", ".join(sorted(supplied))
        raise CannotTakePart(
            "unknown_player",
            f"{shown} is neither a .py or .rb file nor a supplied player ({known})",
        )
    if not path.is_file():
        raise CannotTakePart("missing_file", f"{shown}: there is no such file")
    ruby = path.suffix == ".rb"
    if ruby and shutil.which("ruby") is None:
        raise CannotTakePart("no_ruby", f"{shown}: ruby is not installed")
    return Player(shown, path, path.parent / "lib", ruby, trust)
