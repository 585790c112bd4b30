"""The whole site as several machines run it: match logs on a cluster with replicas, everything else
in one Redis, PostgreSQL, three web processes, two workers, and nginx in front."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from tests.chaos.replicated import Cluster, Server
from tests.deploy.nginx import Nginx, Web
from tests.postgresql import binaries, throwaway_postgresql
from tests.running_site import ROOT, RunningSite, free_port, wait_for

WEBS, WORKERS = 3, 2

needs_servers = pytest.mark.skipif(
    not all([binaries(), *map(shutil.which, ("nginx", "openssl", "redis-server"))]),
    reason="PostgreSQL, nginx, openssl or redis-server isn't installed "
    "(apt install postgresql nginx openssl redis-server)",
)


class Worker:
    """A worker as minesite-worker.service runs it, on a machine of its own."""

    def __init__(self, site: RunningSite) -> None:
        self._port = free_port()
        self._environment = {**site.environment, "TCP_PORT": str(self._port)}
        self._data_dir = site.data_dir
        self.start()

    def start(self) -> None:
        with (self._data_dir / f"worker-{self._port}.out").open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "worker"],
                cwd=ROOT,
                env=self._environment,
                stdout=output,
                stderr=output,
            )

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@dataclass
class ClusterSite:
    site: RunningSite
    """For its settings and its database; it runs no process of its own."""
    cluster: Cluster
    webs: list[Web]
    workers: list[Worker]
    nginx: Nginx


@contextmanager
def cluster_site(folder: Path, seed: int) -> Iterator[ClusterSite]:
    with ExitStack() as stack:
        lobby = Server(folder)
        stack.callback(lobby.stop)
        cluster = Cluster(Random(seed))
        stack.callback(cluster.stop)
        bin_dir = binaries()
        assert bin_dir is not None
        site = RunningSite(
            folder / "var",
            free_port(),
            free_port(),
            {
                "DATABASE_URL": stack.enter_context(throwaway_postgresql(bin_dir)),
                "REDIS_URL": f"redis://127.0.0.1:{lobby.port}/0",
                "LIVE_REDIS_URL": cluster.url,
                "LIVE_ACK_REPLICAS": "1",
                "SECRET_KEY": "cluster" * 8,
                "GUESTS_PER_ADDRESS": "1000",
                "REQUESTS_PER_ADDRESS": "0",
            },
        )
        stack.callback(site.stop)
        wait_for(lambda: lobby.ask("PING"), 20, "the Redis of the lobby")
        site.manage("prepare")
        workers, webs = [], []
        for _ in range(WORKERS):
            workers.append(Worker(site))
            stack.callback(workers[-1].kill)
        for _ in range(WEBS):
            webs.append(Web(site, wait=False))
            stack.callback(webs[-1].kill)
        for web in webs:
            web.wait_until_ready()
        (folder / "nginx").mkdir()
        nginx = Nginx(folder / "nginx", webs, site.data_dir / "static")
        stack.callback(nginx.stop)
        yield ClusterSite(site, cluster, webs, workers, nginx)
