"""Talks to one player's process: a line each way, within a time and a size."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from typing import Any

MAX_REPLY = 4096
MEMORY = 512 * 1024 * 1024
WATCH_SECONDS = 0.1
PARTING_SECONDS = 2.0


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
        self._watched = time.monotonic()

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
        now = time.monotonic()
        if now - self._watched < WATCH_SECONDS:
            return
        self._watched = now
        pages = sum(_family(self._process.pid).values())
        if pages * os.sysconf("SC_PAGE_SIZE") > MEMORY:
            raise PlayerFailed("used more than 512 MB of memory")

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        # First what it started, also in other process groups; the process that watches over it then
        # ends what had lost its parent, and itself.
        for pid in _family(self._process.pid):
            if pid != self._process.pid:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PARTING_SECONDS)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _family(root: int) -> dict[int, int]:
    """A process and all that descend from it, with their pages of memory."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as stat:
                fields = stat.read().rpartition(b")")[2].split()
            pid = int(name)
            parents[pid], pages[pid] = int(fields[1]), int(fields[21])
    found = {}
    for pid in pages:
        ancestor = pid
        while ancestor not in (root, 0, 1):
            ancestor = parents.get(ancestor, 0)
        if ancestor == root:
            found[pid] = pages[pid]
    return found
