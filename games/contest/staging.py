"""Copies a player's file, its `lib/` and the runner to a folder of their own, which is all that the
sandbox shows beside the system.

A copy can't lead anywhere: links are refused, not followed, and every file is opened relative to a
folder that is already open, so nothing changes between the check and the copy.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from .players import CannotTakePart, Player, printable

HERE = Path(__file__).resolve().parent
MAX_BYTES = 64 * 1024 * 1024
MAX_FILES = 2000
MAX_DEPTH = 20
FIRST_USER = 1_000_000_000


@contextlib.contextmanager
def staged(player: Player) -> Iterator[Player]:
    """The same player, in a copy that goes with the context; a trusted one stays where it is.

    Under root the copy belongs to a user of its own: the sandbox runs as its owner."""
    if player.trusted:
        yield player
        return
    with tempfile.TemporaryDirectory(prefix="contest-", dir=_place()) as name:
        folder = Path(name)
        for part in ("run", "player"):
            (folder / part).mkdir(0o700)
        shutil.copy(runner_of(player), folder / "run")
        _Copy(player.shown).take(player.path, folder / "player")
        if os.getuid() == 0:
            _give_away(folder, FIRST_USER + secrets.randbelow(1 << 24))
        path = folder / "player" / player.path.name
        yield replace(player, path=path, lib=path.parent / "lib")


def runner_of(player: Player) -> Path:
    """The program that runs the player."""
    return HERE / ("runner.rb" if player.ruby else "runner.py")


@dataclass(slots=True)
class _Copy:
    shown: str
    bytes_left: int = MAX_BYTES
    files_left: int = MAX_FILES

    def take(self, player: Path, target: Path) -> None:
        source = os.open(player.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            self._file(source, player.name, target / player.name, player.name)
            if "lib" in os.listdir(source):
                self._folder(source, "lib", target / "lib", "lib", MAX_DEPTH)
        finally:
            os.close(source)

    def _folder(self, parent: int, name: str, target: Path, shown: str, depth: int) -> None:
        folder = self._open(parent, name, shown, os.O_DIRECTORY)
        try:
            target.mkdir(0o700)
            for entry in sorted(os.listdir(folder)):
                if entry == "__pycache__":
                    continue
                self.files_left -= 1
                if not self.files_left or not depth:
                    self._refuse("too_large", f"lib has more than {MAX_FILES} files or is too deep")
                path, below = target / entry, f"{shown}/{entry}"
                if stat.S_ISDIR(self._mode(folder, entry, below)):
                    self._folder(folder, entry, path, below, depth - 1)
                else:
                    self._file(folder, entry, path, below)
        finally:
            os.close(folder)

    def _file(self, parent: int, name: str, target: Path, shown: str) -> None:
        source = self._open(parent, name, shown)
        with os.fdopen(source, "rb") as file:
            about = os.fstat(source)
            if not stat.S_ISREG(about.st_mode):
                self._refuse("special_file", f"{_plain(shown)} is not an ordinary file")
            if about.st_nlink > 1:
                self._refuse("hard_link", f"{_plain(shown)} is a hard link; copy the file instead")
            content = file.read(self.bytes_left + 1)
        self.bytes_left -= len(content)
        if self.bytes_left < 0:
            self._refuse("too_large", f"the file and lib have more than {MAX_BYTES >> 20} MB")
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy:
            copy.write(content)

    def _open(self, parent: int, name: str, shown: str, flags: int = 0) -> int:
        if stat.S_ISLNK(self._mode(parent, name, shown)):
            self._refuse("link", f"{_plain(shown)} is a link; copy what it points to instead")
        try:
            # Not blocking, as opening a pipe would wait for a writer.
            flags |= os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
            return os.open(name, flags, dir_fd=parent)
        except OSError as error:
            self._refuse("unreadable", f"{_plain(shown)}: {error.strerror}")

    def _mode(self, parent: int, name: str, shown: str) -> int:
        try:
            return os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
        except OSError as error:  # it was there a moment ago: half of `lib` would play otherwise
            self._refuse("unreadable", f"{_plain(shown)}: {error.strerror}")

    def _refuse(self, code: str, sentence: str) -> NoReturn:
        raise CannotTakePart(code, f"{self.shown}: {sentence}")


def is_for_everybody(path: Path) -> bool:
    """Can any user of the machine reach this?"""
    existing = (place for place in (path, *path.parents) if place.exists())
    return all(place.stat().st_mode & 0o001 for place in existing)


def _place() -> str:
    """A folder for the copy that the player's user can reach."""
    usual = tempfile.gettempdir()
    if os.getuid() == 0 and not is_for_everybody(Path(usual)):
        return "/tmp"  # noqa: S108 - the copy gets a folder of its own
    return usual


def _plain(name: str) -> str:
    """A name that the player chose, without anything that a terminal would obey."""
    return printable(name)[:200]


def _give_away(folder: Path, user: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user)
