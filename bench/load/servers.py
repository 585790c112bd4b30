"""The servers under load: started on one core, watched through /proc."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from minesite import private_redis

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "bench" / "peers"
SERVER_CORE, GENERATOR_CORE = 0, 1
_TICKS = os.sysconf("SC_CLK_TCK")
LANE = "games.live.lane.protocol:LaneProtocol"


@dataclass
class Running:
    """A server with everything that belongs to it (its Redis, for those that have one)."""

    name: str
    adapter: str
    ports: list[int]
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    env: dict[str, str] = field(default_factory=dict)
    """The data that the load generator needs to make rooms there."""
    redis: subprocess.Popen[bytes] | None = None
    """One of the processes, where there is one."""

    def add_redis(self, process: subprocess.Popen[bytes]) -> None:
        self.redis = process
        self.processes.append(process)

    def cpu_seconds(self) -> float:
        """The CPU time of its processes so far."""
        total = 0
        for process in self.processes:
            fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        return total / _TICKS

    def redis_seconds(self) -> float:
        """The part of it that its Redis used; 0 without one."""
        if self.redis is None:
            return 0.0
        fields = Path(f"/proc/{self.redis.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    def resident_kib(self) -> int:
        """Memory of its processes, Redis not counted: that is where a store's memory belongs."""
        status = Path(f"/proc/{self.processes[0].pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def pinned(core: int, command: list[str]) -> list[str]:
    """The command on one core, where the system can do that."""
    return ["taskset", "-c", str(core), *command] if shutil.which("taskset") else command


def _start(command: list[str], *fds: int, **env: str) -> subprocess.Popen[bytes]:
    command = pinned(SERVER_CORE, command)
    env = {**os.environ, **env}
    silent = None if os.environ.get("BENCH_LOUD") else subprocess.DEVNULL
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=silent, stderr=silent, pass_fds=fds)


def _wait_for_port(running: Running, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError):
            for port in running.ports:
                socket.create_connection(("127.0.0.1", port)).close()
            return
        if time.monotonic() > deadline or any(p.poll() is not None for p in running.processes):
            raise SystemExit(f"{running.name} did not start")
        time.sleep(0.05)


def _node(name: str, script: str) -> Running:
    port = free_port()
    process = _start(["node", str(PEERS / script)], PORT=str(port), NODE_ENV="production")
    return Running(name, name, [port], [process])


def _uvicorn(name: str, app: str, ws: str, **env: str) -> Running:
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", app, "--port", str(port), "--ws", ws]
    command += [
        "--loop",
        "uvloop",
        "--log-level",
        "warning",
        "--no-access-log",
        "--lifespan",
        "off",
    ]
    return Running(name, "ws", [port], [_start(command, **env)])


@contextlib.contextmanager
def _redis() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """On the server's core, everything on disk before it is acknowledged."""
    with tempfile.TemporaryDirectory(prefix="bench-redis") as folder:
        path = Path(folder) / "redis.sock"
        process = _start(private_redis.command(private_redis.find_binary(), Path(folder), path))
        try:
            while not path.exists():
                if process.poll() is not None:
                    raise SystemExit("Redis did not start")
                time.sleep(0.02)
            yield process, f"unix://{path}"
        finally:
            process.terminate()
            process.wait()


@dataclass(frozen=True, slots=True)
class Site:
    """A way to run our own site."""

    adapter: str = "minesite"
    websocket_class: str = LANE
    web_processes: int = 1
    affinity: bool = False
    """All processes on one port, as `manage.py up` runs them; else each on its own, and the
    players of a room at different ones."""


MINESITES = {
    "minesite": Site(),
    "minesite, plain ASGI": Site(websocket_class="websockets-sansio"),
    "minesite, 2 with affinity": Site(web_processes=2, affinity=True),
    "minesite, 2 without": Site(web_processes=2),
    "minesite, Area Attack": Site(adapter="area-attack"),
    "plain, Area Attack": Site(adapter="area-attack", websocket_class="websockets-sansio"),
}
RATE_LIMITS = (
    *("LIVE_SEAT_RATE", "LIVE_SEAT_BURST", "LIVE_SOCKET_RATE", "LIVE_SOCKET_BURST"),
    *("CONNECTIONS_PER_ADDRESS", "REQUESTS_PER_ADDRESS"),
)


def _minesite(name: str, redis_url: str, folder: str) -> Running:
    """As it is deployed, but for the rate limits: no person is that quick."""
    site = MINESITES[name]
    env = {
        "DJANGO_SETTINGS_MODULE": "minesite.settings",
        "DATA_DIR": folder,
        "REDIS_URL": redis_url,
        "WEBSOCKET_CLASS": site.websocket_class,
        **dict.fromkeys(RATE_LIMITS, "1000000"),
    }
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "-v0"], cwd=ROOT, env={**os.environ, **env}, check=True)
    if site.affinity:
        env["WEB_PROCESSES"] = str(site.web_processes)
        with socket.create_server(("127.0.0.1", 0), backlog=4096) as listener:
            ports = [listener.getsockname()[1]]
            web = [*manage, "web", "--fd", str(listener.fileno()), "--number"]
            numbers = range(1, site.web_processes + 1)
            processes = [_start([*web, str(n)], listener.fileno(), **env) for n in numbers]
    else:
        ports = [free_port() for _ in range(site.web_processes)]
        processes = [_start([*manage, "web"], **env, PORT=str(port)) for port in ports]
    return Running(name, site.adapter, ports, processes, env)


@contextlib.contextmanager
def serving(name: str) -> Iterator[Running]:
    """The server of that name, ready, until the block ends."""
    with contextlib.ExitStack() as stack:
        if name in MINESITES:
            redis, url = stack.enter_context(_redis())
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-site"))
            running = _minesite(name, url, folder)
            running.add_redis(redis)
        elif name in NODE_PEERS:
            running = _node(name, NODE_PEERS[name])
        elif name == "channels naive":
            redis, url = stack.enter_context(_redis())
            app = "bench.peers.channels_app:naive"
            running = _uvicorn(name, app, "websockets-sansio", REDIS_URL=url)
            running.add_redis(redis)
        elif name == "channels plain":
            running = _uvicorn(name, "bench.peers.channels_app:plain", "websockets-sansio")
        elif name == "lane and log alone":
            redis, url = stack.enter_context(_redis())
            running = _uvicorn(name, "bench.peers.stored_app:application", LANE, REDIS_URL=url)
            running.add_redis(redis)
        elif name == "lane alone":
            running = _uvicorn(name, "bench.peers.lane_app:application", LANE)
        else:
            raise KeyError(name)
        try:
            _wait_for_port(running)
            yield running
        finally:
            for process in running.processes:
                process.kill()
                process.wait()


NODE_PEERS = {"colyseus": "colyseus.mjs", "boardgame.io": "boardgame.mjs", "ws": "ws.mjs"}


def peers_installed() -> bool:
    """Whether Node and the peers' packages are here; they are installed once if Node is."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    if not (PEERS / "node_modules").exists():
        print("Installing the peers (once)", file=sys.stderr)
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        return subprocess.run(command, cwd=PEERS).returncode == 0
    return True
