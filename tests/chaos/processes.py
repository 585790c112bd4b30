"""The processes of the site under test, each of which may be killed at any moment."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from minesite import private_redis
from tests.chaos.proxy import Proxy
from tests.running_site import free_port

ROOT = Path(__file__).resolve().parents[2]
_migrated: list[bytes] = []
"""A fresh database: migrating takes seconds, copying does not."""


class Supervised:
    """A process that is started again after it was killed."""

    def __init__(self, name: str, command: list[str], env: dict[str, str], output: Path) -> None:
        self.name = name
        self._command, self._env = command, env
        self._output = output.open("ab")
        self.process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            self._command, env=self._env, cwd=ROOT, stdout=self._output, stderr=self._output
        )

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def pause(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """The last kill: there is nothing left to be tidied up."""
        self.kill()
        self._output.close()


class Site:
    """Redis, two web processes, a worker, and the maker of matches."""

    def __init__(self, folder: Path, webs: int = 2, bug: str = "") -> None:
        self.folder = folder
        # A unix socket's path must be short.
        sockets = Path(tempfile.mkdtemp(prefix="chaos-"))
        self.lock = threading.Lock()
        self.socket = sockets / "redis.sock"
        self.proxy = Proxy(sockets / "proxy.sock", self.socket, random.Random(1))
        self.ports = [free_port() for _ in range(webs)]
        self._env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.chaos.settings",
            "DATA_DIR": str(folder),
            "REDIS_URL": f"unix://{sockets / 'proxy.sock'}",
            "REDIS_PREFIX": "chaos:",
            "SECRET_KEY": "chaos" * 10,
            "LOG_FORMAT": "text",
            "CONNECTIONS_PER_ADDRESS": "5000",
            "REQUESTS_PER_ADDRESS": "0",
            "CHAOS_BUG": bug,
        }
        for name in ("DATABASE_URL", "LIVE_REDIS_URL"):
            self._env.pop(name, None)

    def start(self) -> None:
        redis_folder = self.folder / "redis"
        private_redis.make_folders(redis_folder, self.socket)
        command = private_redis.command(private_redis.find_binary(), redis_folder, self.socket)
        self.redis = Supervised("redis", command, self._env, self.folder / "redis.out")
        self.proxy.start()
        python = [sys.executable, "manage.py"]
        database = self.folder / "db.sqlite3"
        if not _migrated:
            subprocess.run([*python, "migrate", "-v0"], env=self._env, cwd=ROOT, check=True)
            _migrated.append(database.read_bytes())
        database.write_bytes(_migrated[0])
        self.webs = [
            Supervised(
                f"web{i}",
                [*python, "web"],
                {**self._env, "PORT": str(port)},
                self.folder / f"web{i}.out",
            )
            for i, port in enumerate(self.ports)
        ]
        self.worker = Supervised(
            "worker", [*python, "worker"], self._env, self.folder / "worker.out"
        )
        self.start_maker()

    def start_maker(self) -> None:
        self._maker_output = (self.folder / "maker.out").open("ab")
        self._maker = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.maker"],
            env={**self._env, "CHAOS_BUG": ""},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._maker_output,
            text=True,
        )

    def make(self, line: str) -> Any:
        """Ask the maker; waits for its answer."""
        assert self._maker.stdin is not None
        assert self._maker.stdout is not None
        self._maker.stdin.write(line + "\n")
        self._maker.stdin.flush()
        return json.loads(self._maker.stdout.readline())

    def cut_redis_connections(self) -> None:
        """Every connection to Redis breaks; Redis itself lives on."""
        from redis import Redis

        with Redis(unix_socket_path=str(self.socket)) as client:
            for kind in ("normal", "pubsub"):
                client.execute_command("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")

    def archived(self) -> dict[str, tuple[str, str, bytes | None]]:
        """match id -> status, reason, log."""
        with sqlite3.connect(self.folder / "db.sqlite3", timeout=10) as db:
            rows = db.execute("select id, status, reason, log from games_match").fetchall()
        db.close()
        return {row[0]: row[1:] for row in rows}

    def wait_until_archived(self, seconds: float) -> list[str]:
        """The matches that are still live after so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            stuck = [match for match, row in self.archived().items() if row[0] == "live"]
            if not stuck or time.monotonic() > deadline:
                return stuck
            time.sleep(0.2)

    def stop(self) -> None:
        self.stop_maker()
        for process in (*self.webs, self.worker, self.redis):
            process.stop()
        self.proxy.stop()

    def stop_maker(self) -> None:
        assert self._maker.stdin is not None
        self._maker.stdin.close()
        try:
            self._maker.wait(5)
        except subprocess.TimeoutExpired:
            self._maker.kill()
            self._maker.wait()
        assert self._maker.stdout is not None
        self._maker.stdout.close()
        self._maker_output.close()
