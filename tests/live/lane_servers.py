"""Real servers for the lane's tests, each in a process of its own.

`python -m tests.live.lane_servers <kind> <fd> <options as JSON>` serves `lane_app` on an inherited
listening socket, so that no port has to be guessed.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LANE = "games.live.lane.protocol:LaneProtocol"
KINDS = {
    "lane": {"ws": LANE, "loop": "uvloop"},
    "lane-asyncio": {"ws": LANE, "loop": "asyncio"},
    "lane-unix": {"ws": LANE, "loop": "uvloop"},
    "uvicorn": {"ws": "websockets-sansio", "loop": "uvloop"},
    "daphne": None,
    "hypercorn": None,
    "granian": None,
}
ROOT = Path(__file__).parents[2]


class Server:
    def __init__(self, kind: str, process: subprocess.Popen[bytes], address: Any) -> None:
        self.kind = kind
        self.process = process
        self.address = address

    @property
    def is_lane(self) -> bool:
        return self.kind.startswith("lane")

    def resident_kib(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0])

    def url(self, path: str, name: str = "") -> str:
        host, port = self.address
        return f"ws://{host}:{port}/{path}?{name}"

    def get(self, path: str) -> Any:
        host, port = self.address
        with urllib.request.urlopen(f"http://{host}:{port}/{path}", timeout=10) as answer:
            return json.load(answer)

    def journal(self, name: str) -> Any:
        return self.get(f"journal/{name}")

    def wait_for_journal(self, name: str, wanted: Any) -> None:
        wait_for(lambda: self.journal(name) == wanted, lambda: self.journal(name))


def wait_for(
    condition: Callable[[], bool], seen: Callable[[], Any] = lambda: None, seconds: float = 10
) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain; last seen: {seen()!r}"
        time.sleep(0.01)


@contextmanager
def serving(kind: str, *, unix: Path | None = None, **options: Any) -> Iterator[Server]:
    listener = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
    listener.bind(str(unix) if unix else ("127.0.0.1", 0))
    listener.listen(100)
    fd = listener.fileno()
    command = [sys.executable, "-m", "tests.live.lane_servers", kind, str(fd), json.dumps(options)]
    # The socket listens already: a client that comes early waits in its queue.
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[fd])
    address = listener.getsockname()
    listener.close()
    try:
        if kind == "granian":  # it opens the address anew
            wait_for(lambda: _takes_connections(address), seconds=60)
        yield Server(kind, process, address)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def _takes_connections(address: Any) -> bool:
    """Not only its queue, which the first listener had: something answers."""
    try:
        urllib.request.urlopen(f"http://{address[0]}:{address[1]}/journal/none", timeout=5).close()
    except OSError:
        return False
    return True


def main(kind: str, fd: int, options: dict[str, Any]) -> None:
    from tests.live.lane_app import app

    if kind == "daphne":
        from daphne.server import Server as Daphne

        Daphne(app, endpoints=[f"fd:fileno={fd}"]).run()
    elif kind == "hypercorn":
        import asyncio

        from hypercorn.asyncio import serve
        from hypercorn.config import Config

        config = Config()
        config.bind = [f"fd://{fd}"]
        asyncio.run(serve(app, config))
    elif kind == "granian":
        import asyncio

        from granian.constants import Interfaces
        from granian.server.embed import Server as Granian

        # It takes no open socket, so it gets the address after this one has been closed.
        with socket.socket(fileno=fd) as listener:
            host, port = listener.getsockname()
        asyncio.run(Granian(app, address=host, port=port, interface=Interfaces.ASGI).serve())
    else:
        import uvicorn

        sock = socket.socket(fileno=fd)
        settings: dict[str, Any] = {"lifespan": "off", "log_level": "warning"}
        settings |= KINDS[kind] or {}
        settings |= options
        uvicorn.Server(uvicorn.Config(app, **settings)).run(sockets=[sock])


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3]))
