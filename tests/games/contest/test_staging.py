"""Nothing beside a player's file leads out of its folder."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.contest.players import CannotTakePart, find
from games.contest.staging import FIRST_USER, MAX_BYTES, MAX_FILES, is_for_everybody, staged
from tests.games.contest.command import isolated, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A player with a `lib` of one file, beside a secret."""
    (tmp_path / "secret").write_text("the secret")
    folder = tmp_path / "player"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "brain.py").write_text("x = 1")
    write(folder, "return (0, 0)")
    return folder


def _lib_is_a_link(folder: Path) -> None:
    (folder / "lib" / "brain.py").unlink()
    (folder / "lib").rmdir()
    (folder / "lib").symlink_to("/")


def _player_is_a_link(folder: Path) -> None:
    (folder / "p.py").rename(folder / "real.py")
    (folder / "p.py").symlink_to("real.py")


def _socket(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "lib" / "s"))


def _deep(folder: Path) -> None:
    (folder / "lib" / "/".join("d" * 40)).mkdir(parents=True)


def _many(folder: Path) -> None:
    for number in range(MAX_FILES):
        (folder / "lib" / str(number)).touch()


def _large(folder: Path) -> None:
    os.truncate(write(folder / "lib", "x", "large"), MAX_BYTES)


HOSTILE = {
    "lib is a link": (_lib_is_a_link, "link", "lib is a link"),
    "the player is a link": (_player_is_a_link, "link", "p.py is a link"),
    "a file in lib": (
        lambda folder: (folder / "lib" / "s").symlink_to("../../secret"),
        "link",
        "lib/s is a link",
    ),
    "a folder in lib": (
        lambda folder: (folder / "lib" / "up").symlink_to("../.."),
        "link",
        "lib/up is a link",
    ),
    "a link to nothing": (
        lambda folder: (folder / "lib" / "later").symlink_to("/proc/self/root"),
        "link",
        "lib/later is a link",
    ),
    "a link with a hostile name": (
        lambda folder: (folder / "lib" / "\x1b[2J").symlink_to("/"),
        "link",
        r"lib/\x1b[2J is a link",
    ),
    "a hard link": (
        lambda folder: (folder / "lib" / "s").hardlink_to(folder.parent / "secret"),
        "hard_link",
        "lib/s is a hard link",
    ),
    "a pipe": (
        lambda folder: os.mkfifo(folder / "lib" / "pipe"),
        "special_file",
        "lib/pipe is not an ordinary file",
    ),
    "a socket": (_socket, "unreadable", "lib/s: "),
    "too deep": (_deep, "too_large", "too deep"),
    "too many": (_many, "too_large", "more than 2000 files"),
    "too large": (_large, "too_large", "more than 64 MB"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_folder_is_refused_and_nothing_of_it_is_kept(
    folder, kind, public_folder, monkeypatch
):
    plant, code, sentence = HOSTILE[kind]
    plant(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(public_folder))
    with pytest.raises(CannotTakePart) as refused, staged(find(str(folder / "p.py"))):
        pass
    assert refused.value.code == code
    assert sentence in str(refused.value)
    assert str(folder / "p.py") in str(refused.value)
    assert str(refused.value).isprintable()
    assert [*public_folder.iterdir()] == []


def test_lib_is_not_copied_in_part_when_a_file_vanishes(folder, monkeypatch):
    listed = os.listdir

    def listed_then_gone(place):
        names = listed(place)
        if "brain.py" in names:
            (folder / "lib" / "brain.py").unlink()
        return names

    (folder / "lib" / "another.py").write_text("y = 2")
    monkeypatch.setattr(os, "listdir", listed_then_gone)
    with (
        pytest.raises(CannotTakePart, match=r"lib/brain\.py: No such file") as refused,
        staged(find(str(folder / "p.py"))),
    ):
        pass
    assert refused.value.code == "unreadable"


def test_a_player_file_that_vanishes_is_refused(folder):
    player = find(str(folder / "p.py"))
    player.path.unlink()
    with pytest.raises(CannotTakePart, match=r"p\.py: No such file"), staged(player):
        pass


@pytest.mark.parametrize("name", ["\x1b[2J.py", "\x1b[2J.txt", "\u202egnp.py", "\udcff.py"])
def test_a_refusal_shows_no_control_characters(folder, name):
    """Missing, of an unknown kind, or a link: the file's name is escaped."""
    with pytest.raises(CannotTakePart) as refused:
        find(str(folder / name))
    assert str(refused.value).isprintable()


def test_a_staged_player_is_refused_without_control_characters(folder):
    (folder / "\x1b[2J.py").symlink_to("p.py")
    with (
        pytest.raises(CannotTakePart, match=r"\\x1b\[2J\.py: .*is a link") as refused,
        staged(find(str(folder / "\x1b[2J.py"))),
    ):
        pass
    assert str(refused.value).isprintable()


def test_names_in_any_script_are_shown_as_they_are(folder):
    with pytest.raises(CannotTakePart, match="Zoë/игрок"):
        find(str(folder / "Zoë/игрок.py"))


@isolated
def test_the_command_tells_the_code(folder):
    _lib_is_a_link(folder)
    with pytest.raises(CommandError, match=r"lib is a link.*\[link\]$"):
        call_command("contest", str(folder / "p.py"))


def test_the_copy_is_private_and_goes_with_its_context(folder):
    with staged(find(str(folder / "p.py"))) as player:
        copy = player.path.parents[1]
        assert player.path.read_text() == (folder / "p.py").read_text()
        assert (player.lib / "brain.py").read_text() == "x = 1"
        files = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
        assert files == {"player/p.py", "player/lib/brain.py", "run/runner.py"}
        for path in (copy, *copy.iterdir(), *(copy / "player").rglob("*")):
            assert path.stat().st_mode & 0o077 == 0
            if os.getuid() == 0:
                assert path.stat().st_uid >= FIRST_USER
    assert not copy.exists()


@pytest.mark.skipif(os.getuid() != 0, reason="for root only")
def test_root_copies_to_where_the_players_user_can_reach(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # as private as its home
    with staged(find(str(folder / "p.py"))) as player:
        assert is_for_everybody(player.path.parents[2])
        assert not is_for_everybody(player.path)


def test_a_trusted_player_stays_where_it_is(folder):
    _lib_is_a_link(folder)
    player = find(str(folder / "p.py"), trust=True)
    with staged(player) as same:
        assert same is player
