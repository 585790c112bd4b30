"""Hostile players: what each may not do is measured from outside, while an honest one plays on.

Every file in `hostile/` is a player. Its comments say which reason its lost game must show, and
which time limits it needs; `hostile_lib/attempts.py` tells the referee which attempts worked.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import secrets
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.contest import syscalls
from games.contest.players import find
from games.contest.series import Rules, play_all
from tests.games.contest.command import isolated
from tests.running_site import wait_for

HERE = Path(__file__).resolve().parent
RUBY = [] if shutil.which("ruby") is None else [*(HERE / "hostile").glob("*.rb")]
PLAYERS = sorted([*(HERE / "hostile").glob("*.py"), *RUBY])
HONEST = "class HonestPlayer:\n    name = 'honest'\n    def take_turn(self, state): return 0, 0\n"
SETTING = re.compile(r"^# (reason|turn-timeout|load-timeout): (.*)$", re.MULTILINE)
MOST_BYTES = (512 + 256) << 20
"""The limit, and what two processors fill between two looks of the referee."""
HELD_WITHOUT_FILTER = [
    "abstract_socket",
    "disk_exhaustion",
    "fork_bomb",
    "inode_exhaustion",
    "kill_everything",
    "memory_in_memfds",
    "mounts",
    "nested_namespaces",
    "reads_host_files",
    "root_directory",
    "setuid_programs",
]
"""Namespaces, limits and read-only mounts hold these by themselves."""

pytestmark = [
    isolated,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="system calls are made by number"),
]


@pytest.fixture
def secret(tmp_path: Path) -> Iterator[Path]:
    """A file of the host: nobody reads or changes it."""
    path = tmp_path / "elsewhere" / "secret"
    path.parent.mkdir()
    path.write_text("the secret")
    before = path.stat()
    yield path
    after = path.stat()
    assert path.read_text() == "the secret"
    assert (after.st_mode, after.st_mtime_ns, after.st_nlink) == (
        before.st_mode,
        before.st_mtime_ns,
        before.st_nlink,
    )


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[dict[str, object]]:
    """Servers of the host: nobody connects to them."""
    abstract, path = f"canary-{secrets.token_hex(8)}", str(tmp_path / "elsewhere" / "socket")
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))
        named = stack.enter_context(socket.socket(socket.AF_UNIX))
        named.bind(path)
        unnamed = stack.enter_context(socket.socket(socket.AF_UNIX))
        unnamed.bind("\0" + abstract)
        for server in (named, unnamed):
            server.listen()
        yield {"PORT": port, "UNIX": path, "ABSTRACT": abstract}
        for server in (tcp, named, unnamed):
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
        udp.setblocking(False)
        with pytest.raises(BlockingIOError):
            udp.recv(1)


class Peak:
    """The most memory that new descendants of ours and the kernel's shared files held. Those that
    run already, such as the browser of another test, don't count."""

    def __init__(self, running: set[int]) -> None:
        self._running = running
        self.family = self.shared = 0
        self._shared_before = _kilobytes("/proc/meminfo", "Shmem")
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _new(self) -> set[int]:
        return set(descendants()) - self._running

    def _sample(self) -> None:
        while not self._over.wait(0.05):
            held = sum(_kilobytes(f"/proc/{pid}/smaps_rollup", "Pss") for pid in self._new())
            shared = _kilobytes("/proc/meminfo", "Shmem") - self._shared_before
            self.family = max(self.family, held * 1024)
            self.shared = max(self.shared, shared * 1024)


def _kilobytes(path: str, word: str) -> int:
    with contextlib.suppress(OSError):
        found = re.search(rf"^{word}:\s+(\d+) kB", Path(path).read_text(), re.MULTILINE)
        return int(found[1]) if found else 0
    return 0


def descendants() -> list[int]:
    """All processes that come from this one, those of other parents included: found by asking each
    process of the machine for its parent, not as the referee does it."""
    parents = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
            parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def _runs(marker: str) -> bool:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if marker.encode() in path.read_bytes():
                return True
    return False


def _tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("player", PLAYERS, ids=lambda path: path.stem)
def test_a_hostile_player_gets_nothing_but_a_lost_game(player, tmp_path, secret, servers):
    check(player, tmp_path, secret, servers)


@pytest.mark.parametrize("name", HELD_WITHOUT_FILTER)
def test_these_are_held_even_without_the_filter(name, tmp_path, secret, servers, monkeypatch):
    allow = struct.pack("=HBBI", syscalls.RETURN, 0, 0, syscalls.ALLOW)
    monkeypatch.setattr(syscalls, "build_filter", lambda: allow)
    check(HERE / "hostile" / f"{name}.py", tmp_path, secret, servers)


def check(player: Path, tmp_path: Path, secret: Path, servers: dict[str, object]) -> None:
    """Let the player and an honest one play, and look at what is left."""
    told = dict(SETTING.findall(player.read_text()))
    seed, marker = secrets.token_bytes(32), f"marker-{secrets.token_hex(8)}"
    folder = tmp_path / "player"
    shutil.copytree(HERE / "hostile_lib", folder / "lib")
    shutil.copy(player, folder)
    honest = tmp_path / "other" / "honest.py"
    honest.parent.mkdir()
    honest.write_text(HONEST)
    canary = {
        **servers,
        "SECRET": str(secret),
        "MARKER": marker,
        "SEED_IN_HEX": seed.hex(),
        "FOLDERS": [
            *(str(path) for path in (tmp_path, folder, honest.parent, settings.BASE_DIR)),
            *(str(settings.DATA_DIR), tempfile.gettempdir(), str(Path.home())),
        ],
    }
    (folder / "lib" / "canary.py").write_text("".join(f"{k} = {v!r}\n" for k, v in canary.items()))
    before = _tree(tmp_path)
    ours = set(descendants())
    rules = Rules(
        mines=0,
        turn_timeout=float(told.get("turn-timeout", 10)),
        load_timeout=float(told.get("load-timeout", 20)),
    )
    with Peak(ours) as peak:
        records = play_all(
            [find(str(folder / player.name)), find(str(honest))], rules, seed, lambda _: None
        )

    first, second = records
    assert (first.name, first.won) == ("honest", 1)
    (game,) = second.games
    assert not game.won
    assert re.match(told["reason"], game.reason), game.reason
    for text in (second.name, game.reason):
        assert text.isascii()
        assert text.isprintable()
        assert len(text) <= 220
    assert peak.family < MOST_BYTES
    if player.stem.startswith("memory"):
        assert peak.shared < MOST_BYTES // 2
    assert _tree(tmp_path) == before
    assert not second.player.path.parents[1].exists()
    assert set(descendants()) <= ours
    wait_for(lambda: not _runs(marker), what="the end of all that the player started")


def test_there_are_enough_of_them():
    assert len(PLAYERS) >= 40
