"""The disk of DATA_DIR fills up while matches run, and is emptied again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest
from websockets.sync.client import ClientConnection

from games.storage import Disk, State
from minesite.disk_watch import DiskWatch, append_only_file, keep_room
from tests.deploy.players import make_matches
from tests.running_site import RunningSite, new_site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]

MEGABYTE = 1 << 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 60 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=60m,mode=700", "tmpfs", folder], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("only root can make a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder: Path) -> Path:
    """Take everything that is left, at once."""
    file = folder / "fill"
    with file.open("ab", buffering=0) as out, suppress(OSError):
        while True:
            out.write(bytes(MEGABYTE // 16))
    with file.open("ab", buffering=0) as out, suppress(OSError):
        while True:
            out.write(bytes(512))
    return file


class Player:
    """Plays `claim`, and remembers what was acknowledged."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.acknowledged: list[int] = []
        self.moves = 0

    def act(self, **action: object) -> dict[str, str]:
        name = f"c{self.moves}"
        self.socket.send(json.dumps({"type": "act", "id": name, "action": action}))
        while True:
            for message in json.loads(self.socket.recv(10)):
                if message["type"] in ("ack", "refused") and message["id"] == name:
                    self.moves += 1
                    return message

    def claim(self) -> str:
        """Claim the next cell: "stored", or the code of the refusal."""
        cell = self.moves
        answer = self.act(type="claim", cell=cell)
        if answer["type"] == "ack":
            self.acknowledged.append(cell)
            return "stored"
        return answer["code"]


def processes(site: RunningSite) -> set[int]:
    assert site.process is not None
    return {p.pid for p in psutil.Process(site.process.pid).children()}


CLAIMED = """
import json
from asgiref.sync import async_to_sync
from games.live import host, stored_log

async def rows():
    here = host.host(serving=False)
    await here.opened()
    try:
        return await stored_log.read_rows(here.servers, MATCH)
    finally:
        await host.close()

commands = [c for row in async_to_sync(rows)() for c in row.commands if c.kind == "action"]
actions = [json.loads(command.data) for command in commands]
print(json.dumps([action["cell"] for action in actions if action["type"] == "claim"]))
"""


def claimed(site: RunningSite, match_id: str) -> set[int]:
    """The cells that the log has."""
    return set(json.loads(site.python(CLAIMED.replace("MATCH", repr(match_id)))))


def test_a_full_disk_costs_time_and_nothing_else(small_disk: Path, tmp_path: Path) -> None:
    site = new_site(small_disk / "var")
    site.data_dir.mkdir()
    (site.data_dir / "up.out").symlink_to(tmp_path / "up.out")  # what it says is read afterwards
    try:
        site.start()
        matches = make_matches(site, 1)
        (match_id,) = matches.ids
        wait_for(lambda: has_room(site), what="room for Redis")
        before = processes(site)
        with (
            matches.join(site.url, match_id, 0) as ann,
            matches.join(site.url, match_id, 1) as bob,
        ):
            player = Player(ann)
            for one in (player, Player(bob)):
                assert one.act(type="ready")["type"] == "ack"
            assert {player.claim() for _ in range(20)} == {"stored"}
            lines = len(site.output.splitlines())
            file = fill(small_disk)
            # At once, as documented; nobody waits for a disk.
            wait_for(lambda: player.claim() == "not_stored", 5, "a refusal")
            assert {player.claim() for _ in range(20)} == {"not_stored"}
            status, health = wait_for(lambda: (h := site.health())[0] == 503 and h)
            assert (status, health["disk"], health["redis"]) == (503, "full", "up")
            wait_for(lambda: "no_room" in refusal(site), what="a refusal of new matches")
            with urlopen(f"{site.url}/metrics") as answer:
                assert "minesite_disk_free_bytes 0.0" in answer.read().decode()
            wait_for(lambda: "is full" in site.output, what="a word about it")
            # Redis goes on to store heartbeats, in room that nobody else could take.
            size = appended(site).st_size
            wait_for(lambda: appended(site).st_size > size + 8_000, 30, "heartbeats")
            assert player.claim() == "not_stored"
            file.unlink()
            wait_for(lambda: player.claim() == "stored", 10, "moves again")
            assert player.acknowledged
            assert set(player.acknowledged) == claimed(site, match_id)
        assert processes(site) == before
        wait_for(site.healthy)
        said = site.output.splitlines()[lines:]
        assert len(said) < 30, said
        assert sum("is full" in line for line in said) == 1
        assert "There is room on the disk again" in site.output
        assert "Traceback" not in site.output
        site.python(SOLO)
    finally:
        site.stop()


SOLO = """
from asgiref.sync import async_to_sync
from accounts.models import User
from games.live import host
from lobby import solo
from lobby.players import player_of

async def start():
    user = await User.objects.aget(username="Ann")
    try:
        await solo.start(player_of(user))
    finally:
        await host.close()

async_to_sync(start)()
"""


def refusal(site: RunningSite) -> str:
    try:
        return site.python(SOLO)
    except AssertionError as error:
        return str(error)


def appended(site: RunningSite) -> os.stat_result:
    """The bytes that Redis has appended to its file."""
    file = append_only_file(site.data_dir / "redis")
    assert file is not None
    return file.stat()


def has_room(site: RunningSite) -> bool:
    about = appended(site)
    return about.st_blocks * 512 - about.st_size > MEGABYTE


def test_a_reserved_file_keeps_its_size(tmp_path: Path) -> None:
    file = tmp_path / "some.incr.aof"
    file.write_bytes(b"x" * 1000)
    if not keep_room(file, MEGABYTE):
        pytest.skip("this file system can't reserve blocks")
    about = file.stat()
    assert about.st_size == 1000
    assert about.st_blocks * 512 > MEGABYTE // 2
    assert os.path.getsize(file) == 1000


@pytest.mark.parametrize(
    ("free", "total", "state"),
    [
        (5, 60, State.FULL),
        (7, 60, State.LOW),
        (30, 60, State.ROOM),
        (60, 100_000, State.FULL),
        (1000, 100_000, State.LOW),
        (1100, 100_000, State.ROOM),
    ],
)
def test_a_disk_is_low_before_it_is_full(free: int, total: int, state: State) -> None:
    assert Disk(free * MEGABYTE, total * MEGABYTE).state is state


async def test_the_watch_speaks_once_of_each_change(tmp_path: Path, monkeypatch) -> None:
    said: list[str] = []
    watch = DiskWatch(tmp_path, "", None, said.append)
    for free in (50, 50, 7, 7, 1, 1, 50):
        disk = Disk(free * MEGABYTE, 60 * MEGABYTE)
        monkeypatch.setattr("games.storage.disk", lambda folder, disk=disk: disk)
        await watch.look()
    assert [line.split(":")[0] for line in said] == [
        "The disk of DATA_DIR is almost full",
        "The disk of DATA_DIR is full",
        "There is room on the disk again",
    ]
