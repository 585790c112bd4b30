"""A Redis with a replica: acknowledgements wait for it, and a fail-over loses nothing."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from redis import Redis
from redis.exceptions import RedisError

from games.live.host import Host
from games.live.seat_client import SeatClient
from games.live.setup import MatchSetup, SeatInfo, new_id, new_seed
from games.live.stored_log import read_entries
from minesite.private_redis import find_binary
from tests.live.conftest import until

DOWN_AFTER_MS = 2000
"""A machine with much to do is not down."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def wait(true: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it doesn't come up"
        time.sleep(0.02)


def answers(port: int) -> bool:
    try:
        with Redis(port=port) as client:
            return bool(client.ping())
    except RedisError:
        return False


class Servers:
    """A primary, a replica of it, and a Sentinel that watches them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = [free_port(), free_port()]
        self.sentinel_port = free_port()
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        for port in self.ports:
            self.start(port)
        with Redis(port=self.ports[1]) as replica:
            replica.replicaof("127.0.0.1", self.ports[0])
        # The primary counts a replica as connected while it is still sending its first copy.
        wait(lambda: self.info(self.ports[1])["master_link_status"] == "up")

    def start(self, port: int, *more: str | int) -> None:
        options = ["--port", port, "--dir", self.folder, "--save", "", "--appendonly", "no"]
        options += ["--repl-diskless-sync-delay", 0, "--repl-ping-replica-period", 1]
        self.processes[port] = subprocess.Popen(
            [find_binary(), *map(str, [*options, *more])], stdout=subprocess.DEVNULL
        )
        wait(lambda: answers(port))

    def start_sentinel(self) -> None:
        config = self.folder / "sentinel.conf"
        config.write_text(
            f"port {self.sentinel_port}\n"
            f"sentinel monitor match 127.0.0.1 {self.ports[0]} 1\n"
            f"sentinel down-after-milliseconds match {DOWN_AFTER_MS}\n"
            "sentinel failover-timeout match 3000\n"
        )
        self.processes[self.sentinel_port] = subprocess.Popen(
            [find_binary(), str(config), "--sentinel"], stdout=subprocess.DEVNULL
        )
        wait(lambda: answers(self.sentinel_port))
        with Redis(port=self.sentinel_port) as sentinel:
            wait(lambda: len(sentinel.sentinel_slaves("match")) == 1)

    def info(self, port: int) -> dict:
        with Redis(port=port) as client:
            return client.info("replication")

    def has(self, port: int, key: str) -> bool:
        with Redis(port=port) as client:
            return bool(client.exists(key))

    def stop(self) -> None:
        for process in self.processes.values():
            process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@pytest.fixture
def servers() -> Iterator[Servers]:
    with tempfile.TemporaryDirectory(prefix="replicas-") as folder:
        made = Servers(Path(folder))
        try:
            yield made
        finally:
            made.stop()


async def seated(host: Host) -> tuple[SeatClient, SeatClient]:
    seats = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]
    setup = MatchSetup("claim", 1, new_seed(), seats, {}, False, "queue")
    match_id = new_id()
    await host.create(match_id, setup.encode())
    players = [SeatClient(host, await host.join(match_id), seat) for seat in (0, 1)]
    for player in players:
        assert (await player.act({"type": "ready"})).stored
    await until(lambda: players[0].replica.state.state.phase == "live")
    return players[0], players[1]


async def test_a_move_is_acknowledged_once_a_replica_has_it(servers, settings):
    settings.LIVE_ACK_REPLICAS = 1
    host = Host(f"redis://127.0.0.1:{servers.ports[0]}", django_settings.REDIS_URL)
    try:
        ann, _bob = await seated(host)
        servers.processes[servers.ports[1]].send_signal(signal.SIGSTOP)
        move = asyncio.create_task(ann.act({"type": "claim", "cell": 1}))
        await until(lambda: ann.replica.log.proposer.in_flight)
        await asyncio.wait([move], timeout=0.5)
        assert not move.done()
        assert ann.replica.state.state.game.owners[1] == -1
        servers.processes[servers.ports[1]].send_signal(signal.SIGCONT)
        assert (await asyncio.wait_for(move, 20)).stored
    finally:
        await host.close()


@pytest.mark.parametrize("replicas", [1, 0])
async def test_a_fail_over_loses_no_acknowledged_move(servers, settings, replicas):
    settings.LIVE_ACK_REPLICAS = replicas
    servers.start_sentinel()
    host = Host(f"redis+sentinel://127.0.0.1:{servers.sentinel_port}/match", settings.REDIS_URL)
    try:
        ann, bob = await seated(host)
        acknowledged: list[int] = []

        async def play(player: SeatClient, cells: range) -> None:
            for cell in cells:
                assert (await player.act({"type": "claim", "cell": cell})).stored
                acknowledged.append(cell)

        playing = [
            asyncio.create_task(play(ann, range(100))),
            asyncio.create_task(play(bob, range(100, 200))),
        ]
        await until(lambda: len(acknowledged) > 20)
        # Without acknowledgements of replicas, hosts restore the last rows of a log, never a log.
        await until(lambda: servers.has(servers.ports[1], ann.replica.log.key))
        old = servers.processes[servers.ports[0]]
        old.kill()
        old.wait()
        await until(lambda: servers.info(servers.ports[1])["role"] == "master")
        servers.start(servers.ports[0], "--replicaof", "127.0.0.1", servers.ports[1])
        await asyncio.wait_for(asyncio.gather(*playing), 60)
        entries = await read_entries(host.servers, ann.replica.id)
        cells = [e.body()["cell"] for e in entries if b"cell" in e.data]
        assert sorted(cells) == sorted(acknowledged)
        assert len(set(cells)) == len(cells)
    finally:
        await host.close()
