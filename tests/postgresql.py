"""A throwaway PostgreSQL, for whoever has its binaries."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


def binaries() -> Path | None:
    """The folder with initdb and postgres: on PATH, or where Debian keeps them, newest first."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name)
    )
    return next((folder for folder in reversed(folders) if (folder / "initdb").exists()), None)


def _as_someone_else() -> tuple[list[str], int | None]:
    """PostgreSQL refuses to run as root, so root steps down first."""
    if os.geteuid() != 0:
        return [], None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        ids = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        return ["setpriv", *ids, "--"], user.pw_uid
    raise RuntimeError("there is no user but root to run PostgreSQL")


@contextmanager
def throwaway_postgresql(bin_dir: Path, **more: str) -> Iterator[str]:
    """Its DATABASE_URL, while the block runs; `more` are settings of the server. It listens on a
    unix socket only."""
    prefix, uid = _as_someone_else()
    folder = Path(tempfile.mkdtemp(prefix="minesite-pg-"))
    if uid is not None:
        os.chown(folder, uid, -1)
    data = folder / "data"
    log = (folder / "log").open("wb")
    server = None
    try:
        subprocess.run(
            [
                *(*prefix, str(bin_dir / "initdb"), "-D", str(data), "-U", "minesite"),
                *("-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            stdout=log,
            stderr=log,
            cwd=folder,
        )
        options = {"listen_addresses": "", "unix_socket_directories": str(folder), "fsync": "off"}
        options |= more
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        server = subprocess.Popen(
            [*prefix, str(bin_dir / "postgres"), "-D", str(data), *settings],
            stdout=log,
            stderr=log,
            cwd=folder,
        )
        url = f"postgresql://minesite@/postgres?host={folder}"
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(url).close()
                break
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, (folder / "log").read_text()
                assert server.poll() is None, (folder / "log").read_text()
                time.sleep(0.05)
        yield url
    finally:
        if server is not None:
            server.send_signal(2)  # fast shutdown: ends the sessions, then itself
            server.wait(20)
        log.close()
        shutil.rmtree(folder, ignore_errors=True)
