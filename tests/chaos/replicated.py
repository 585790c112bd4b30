"""Redis with replicas on loopback, real processes: watched by Sentinels, or as a cluster."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from minesite import private_redis
from tests.running_site import free_port, wait_for

SERVICE = "live"
SENTINEL = """
port {port}
dir {folder}
sentinel monitor {service} 127.0.0.1 {primary} 2
sentinel down-after-milliseconds {service} 700
sentinel failover-timeout {service} 4000
sentinel parallel-syncs {service} 2
"""


class Server:
    """One redis-server, which may be killed and started again with its files."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port = _port_with_bus() if "--cluster-enabled" in options else free_port()
        self._folder = folder / str(self.port)
        self._folder.mkdir()
        self._output = (self._folder / "out").open("ab")
        self._options = options
        self.start()

    def start(self, *more: str) -> None:
        command = [private_redis.find_binary(), "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--dir", str(self._folder), "--save", "", "--appendonly", "yes"]
        command += ["--appendfsync", "always", "--repl-diskless-sync-delay", "0"]
        self.process = subprocess.Popen(
            [*command, *self._options, *more], stdout=self._output, stderr=self._output
        )

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        self.kill()
        self._output.close()

    def ask(self, *words: str | int) -> object:
        """The reply, or None when there is none."""
        try:
            with Redis(port=self.port, socket_timeout=2, socket_connect_timeout=2) as client:
                return client.execute_command(*words)
        except (RedisError, OSError):
            return None

    def replication(self) -> dict[str, str]:
        """The server's INFO on replication; empty when it doesn't answer."""
        told = self.ask("INFO", "replication")
        return told if isinstance(told, dict) else {}

    @property
    def is_primary(self) -> bool:
        return self.replication().get("role") == "master"


def _port_with_bus() -> int:
    """A port that is free together with that of the cluster's bus, which is 10,000 higher."""
    while True:
        port = free_port()
        with contextlib.suppress(OSError, OverflowError):
            socket.create_server(("127.0.0.1", port + 10_000)).close()
            return port


class Sentinels:
    """Three servers, one of which is the primary, and three Sentinels, two of which decide."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="sentinels-"))
        self.primary = Server(self._folder)
        first = str(self.primary.port)
        self.servers = [
            self.primary,
            *(Server(self._folder, "--replicaof", "127.0.0.1", first) for _ in range(2)),
        ]
        self._sentinels: list[tuple[int, subprocess.Popen[bytes]]] = []
        try:
            wait_for(self._is_in_sync, 20, "replication")
            for _ in range(3):
                self._sentinels.append(self._start_sentinel())
            self.heal()
        except BaseException:
            self.stop()
            raise

    def _start_sentinel(self) -> tuple[int, subprocess.Popen[bytes]]:
        port = free_port()
        folder = self._folder / f"sentinel-{port}"
        folder.mkdir()
        config = folder / "sentinel.conf"
        config.write_text(
            SENTINEL.format(port=port, folder=folder, service=SERVICE, primary=self.primary.port)
        )
        with (folder / "out").open("ab") as output:
            command = [private_redis.find_binary(), str(config), "--sentinel"]
            return port, subprocess.Popen(command, stdout=output, stderr=output)

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port, _process in self._sentinels)
        return f"redis+sentinel://{hosts}/{SERVICE}/0"

    def _is_in_sync(self) -> bool:
        """Every replica has what the primary has, or nearly."""
        told = self.primary.replication()
        links = [server.replication() for server in self.servers if server is not self.primary]
        return told.get("connected_slaves") == 2 and all(
            link.get("role") == "slave" and link.get("master_link_status") == "up" for link in links
        )

    def _agree(self) -> bool:
        """All Sentinels know each other and the same primary, and none is at work. It becomes
        `primary`: after a fail-over they may have decided once more."""
        told = []
        for port, _process in self._sentinels:
            try:
                with Redis(port=port, socket_timeout=2) as client:
                    known = client.sentinel_master(SERVICE)
            except (RedisError, OSError):
                return False
            if known["num-other-sentinels"] != 2 or known["flags"] != "master":
                return False
            told.append(known["port"])
        self.primary = next(server for server in self.servers if server.port == told[0])
        return len(set(told)) == 1 and self.primary.is_primary

    def fail_over(self) -> float:
        """kill -9 of the primary; the seconds until there is another. Once all Sentinels agree, the
        old one comes back as a replica."""
        old = self.primary
        old.kill()
        begin = time.monotonic()
        others = [server for server in self.servers if server is not old]
        wait_for(lambda: any(server.is_primary for server in others), 30, "a new primary")
        took = time.monotonic() - begin
        wait_for(self._agree, 60, "the Sentinels' agreement")
        old.start("--replicaof", "127.0.0.1", str(self.primary.port))
        return took

    def heal(self) -> None:
        """Wait until the next fail-over can happen without loss."""
        wait_for(lambda: self._agree() and self._is_in_sync(), 60, "replication")

    def stop(self) -> None:
        for _port, process in self._sentinels:
            process.kill()
            process.wait()
        for server in self.servers:
            server.stop()
        shutil.rmtree(self._folder)


class Cluster:
    """Three primaries with a third of the slots each, and a replica for each."""

    SLOTS = 16384

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._folder = folder = Path(tempfile.mkdtemp(prefix="cluster-"))
        options = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"]
        options += ["--cluster-require-full-coverage", "no"]
        self.servers = [Server(folder, *options) for _ in range(6)]
        try:
            wait_for(lambda: all(server.ask("PING") for server in self.servers), 20, "the servers")
            self._join()
            self.heal()
        except BaseException:
            self.stop()
            raise

    def _join(self) -> None:
        primaries, replicas = self.servers[:3], self.servers[3:]
        share = self.SLOTS // 3 + 1
        for number, server in enumerate(primaries):
            # As `redis-cli --cluster create` does: equal epochs make owners of slots uncertain.
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            last = min(self.SLOTS, (number + 1) * share) - 1
            server.ask("CLUSTER", "ADDSLOTS", *range(number * share, last + 1))
        for server in self.servers[1:]:
            server.ask("CLUSTER", "MEET", "127.0.0.1", self.servers[0].port)
        for primary, replica in zip(primaries, replicas, strict=True):
            name = primary.ask("CLUSTER", "MYID")
            assert isinstance(name, bytes)
            wait_for(
                lambda r=replica, n=name: r.ask("CLUSTER", "REPLICATE", n.decode()),
                20,
                "the replicas",
            )

    @property
    def url(self) -> str:
        """Names those that were primaries at first."""
        return "redis://" + ",".join(f"127.0.0.1:{server.port}" for server in self.servers[:3])

    def primary_of(self, key: str) -> Server:
        """The primary that has this key."""
        return next(server for server in self.servers if server.ask("EXISTS", key) == 1)

    def fail_over(self, old: Server | None = None) -> float:
        """kill -9 of one primary, this one or any; the seconds until its replica has its place.
        Then it comes back as the replica of that one."""
        if old is None:
            old = self._chance.choice([server for server in self.servers if server.is_primary])
        replicas = [
            server for server in self.servers if server.replication().get("master_port") == old.port
        ]
        old.kill()
        begin = time.monotonic()
        wait_for(lambda: any(server.is_primary for server in replicas), 30, "a new primary")
        took = time.monotonic() - begin
        old.start()
        return took

    def heal(self) -> None:
        """Wait until every slot is served and every primary has a replica that follows it."""

        def is_healed() -> bool:
            told = [server.replication() for server in self.servers]
            primaries = [each for each in told if each.get("role") == "master"]
            links = [each for each in told if each.get("role") == "slave"]
            return (
                len(primaries) == len(links) == 3
                and all(each["connected_slaves"] == 1 for each in primaries)
                and all(each["master_link_status"] == "up" for each in links)
                and all(self._is_whole(server) for server in self.servers)
            )

        wait_for(is_healed, 60, "the cluster")

    @staticmethod
    def _is_whole(server: Server) -> bool:
        told = server.ask("CLUSTER", "INFO")
        return b"cluster_slots_ok:16384" in told if isinstance(told, bytes) else False

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
        shutil.rmtree(self._folder)
