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

from . import memory
from .cgroup import Group

MAX_REPLY = 4096
MEMORY = 512 * 1024 * 1024
TOO_MUCH_MEMORY = f"used more than {MEMORY >> 20} MB of memory"
WATCH_SECONDS = 0.01
PARTING_SECONDS = 5.0
FIRST_TO_DIE = "1000"


class PlayerFailed(Exception):
    """The player lost this game; the text is the reason."""


class Link:
    """One process for one game. Whatever happens, `close` ends all that a sandboxed one started."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        sandboxed: bool = True,
        group: Group | None = None,
    ) -> None:
        """`group`: the control group that limits the process's memory, if there is one."""
        assert process.stdin
        assert process.stdout
        self._process = process
        self._sandboxed = sandboxed
        self._group = group
        self._out = process.stdin.fileno()
        self._in = process.stdout.fileno()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)
        self._buffer = b""
        self._watched = time.monotonic()
        # Should the whole machine run out of memory, the kernel ends the player, not the site.
        with contextlib.suppress(OSError), open(f"/proc/{process.pid}/oom_score_adj", "w") as file:
            file.write(FIRST_TO_DIE)

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
        return decode(line)

    def _read(self) -> None:
        data = os.read(self._in, 65536)
        if not data:
            raise self._ended()
        self._buffer += data
        if len(self._buffer) > MAX_REPLY:
            raise PlayerFailed("sent too much")

    def _write(self, data: bytes) -> bytes:
        try:
            return data[os.write(self._out, data) :]
        except BlockingIOError:
            return data
        except BrokenPipeError:
            raise self._ended() from None

    def _ended(self) -> PlayerFailed:
        if self._group is not None and self._group.has_exceeded():
            return PlayerFailed(TOO_MUCH_MEMORY)
        return PlayerFailed("its process ended")

    def _watch_memory(self) -> None:
        """The limit of each process is the kernel's, and in a control group that of all of them;
        elsewhere that one is ours to look after."""
        if self._group is not None:
            return
        now = time.monotonic()
        if now - self._watched < WATCH_SECONDS:
            return
        if memory.exceeds(MEMORY, self._process.pid):
            raise PlayerFailed(TOO_MUCH_MEMORY)
        self._watched = time.monotonic()

    def close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        # In a sandbox the first descendant is the first of its process namespace: the kernel ends
        # all the others with it, and only then does bubblewrap end.
        root, *descendants = memory.family(self._process.pid)
        for pid in descendants or [root]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not self._sandboxed:
            self._process.kill()
        try:
            self._process.wait(PARTING_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._group is not None:
            self._group.remove()


def decode(line: bytes) -> dict[str, Any]:
    """A reply of the player's process; raises PlayerFailed."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        raise PlayerFailed("sent something that is not a reply")
    return reply
