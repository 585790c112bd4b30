"""Talks to one player's process: a line each way, within a time and a size."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

MAX_REPLY = 4096
MEMORY = 512 * 1024 * 1024
WATCH_SECONDS = 0.1


class PlayerFailed(Exception):
    """The player lost this game; the text is the reason."""


class Link:
    """One process for one game. Whatever happens, `close` ends all that it started."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self._process = process
        self._out = process.stdin.fileno()
        self._in = process.stdout.fileno()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)
        self._buffer = b""

    def ask(self, question: Any, timeout: float) -> dict[str, Any]:
        """Send the question (None: only listen) and wait for one reply."""
        data = b"" if question is None else (json.dumps(question) + "\n").encode()
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(self._in, selectors.EVENT_READ)
            if data:
                selector.register(self._out, selectors.EVENT_WRITE)
            while b"\n" not in self._buffer:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise PlayerFailed(f"took longer than {timeout:g} s")
                ready = selector.select(min(left, WATCH_SECONDS))
                if not ready:
                    self._watch_memory()
                for key, _ in ready:
                    if key.fd == self._in:
                        self._read()
                    else:
                        data = self._write(data)
                        if not data:
                            selector.unregister(self._out)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return self._decode(line)

    def _read(self) -> None:
        data = os.read(self._in, 65536)
        if not data:
            raise PlayerFailed("its process ended")
        self._buffer += data
        if len(self._buffer) > MAX_REPLY:
            raise PlayerFailed("sent too much")

    def _write(self, data: bytes) -> bytes:
        try:
            return data[os.write(self._out, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            raise PlayerFailed("its process ended") from None

    @staticmethod
    def _decode(line: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise PlayerFailed("sent something that is not a reply")
        return reply

    def _watch_memory(self) -> None:
        """The limit of each process is the kernel's; this one is for all of them together."""
        if _resident(self._process.pid) > MEMORY:
            raise PlayerFailed("used more than 512 MB of memory")

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _resident(root: int) -> int:
    """Bytes of memory of a process and all that descend from it; 0 where /proc is missing."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = stat.read_text().rpartition(")")[2].split()
            pid = int(stat.parent.name)
            parents[pid], pages[pid] = int(fields[1]), int(fields[21])
    total = 0
    for pid in pages:
        ancestor = pid
        while ancestor not in (root, 0, 1):
            ancestor = parents.get(ancestor, 0)
        if ancestor == root:
            total += pages[pid]
    return total * os.sysconf("SC_PAGE_SIZE")
