"""A real Redis for tests: its own process, on a unix socket, with an append-only file."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from minesite import private_redis


@contextmanager
def redis_server(
    url: str, folder: Path, binary: str | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs while the block runs; `url` is its unix:// address, `binary` the server if not the one
    that the site would choose."""
    path = Path(url.removeprefix("unix://"))
    private_redis.make_folders(folder, path)
    command = private_redis.command(binary or private_redis.find_binary(), folder, path)
    # Tests don't cut the power: what is written need not reach the disk at once.
    process = subprocess.Popen([*command, "--appendfsync", "no"], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 10
        with Redis.from_url(url, retry=None) as client:
            while True:
                try:
                    client.ping()
                    break
                except (RedisError, OSError):
                    if time.monotonic() > deadline or process.poll() is not None:
                        raise
                    time.sleep(0.01)
        yield process
    finally:
        process.terminate()
        process.wait(10)
