"""Starts processes, shows what they say, restarts what dies, ends them all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from logging import LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path

from minesite.backoff import Backoff
from minesite.parent import SUPERVISOR, ask_kernel

LOG_BYTES, LOG_FILES = 10_000_000, 3


@dataclass
class Child:
    """One process that is kept running until `stop()`."""

    name: str
    command: list[str]
    log_dir: Path
    pass_fds: tuple[int, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    # Lines that go to the log file only.
    quiet: re.Pattern[str] | None = None
    on_death: Callable[[int], None] = lambda pid: None
    width: int = 8
    last_line: str = ""
    process: asyncio.subprocess.Process | None = None
    _stopping: bool = False
    _task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._file = RotatingFileHandler(
            self.log_dir / f"{self.name}.log",
            maxBytes=LOG_BYTES,
            backupCount=LOG_FILES,
            delay=True,
            encoding="utf-8",
            errors="replace",
        )

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep_running())

    async def start_once(self) -> None:
        """Begin the first run now, so that a command that can't run at all raises here."""
        await self._spawn()
        self._task = asyncio.create_task(self._keep_running())

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.returncode is None

    async def _spawn(self) -> None:
        self.process = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            pass_fds=self.pass_fds,
            env={**os.environ, **self.environment, SUPERVISOR: str(os.getpid())},
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends all in order
            preexec_fn=ask_kernel,
            limit=1 << 20,
        )

    async def _keep_running(self) -> None:
        backoff = Backoff()
        while not self._stopping:
            begin = time.monotonic()
            if not self.running:
                try:
                    await self._spawn()
                except OSError as error:
                    self.say(f"{self.name} can't be started now: {error}")
                    await asyncio.sleep(backoff.after(0))
                    continue
            process = self.process
            assert process is not None
            await self._show(process)
            code = await process.wait()
            self._sweep(process.pid)
            self.on_death(process.pid)
            if self._stopping:
                return
            wait = backoff.after(time.monotonic() - begin)
            how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
            self.say(f"{self.name} {how}; it starts again in {wait:.1f} s")
            await asyncio.sleep(wait)

    async def _show(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:  # a line beyond the limit: what was read is dropped
                continue
            if not line:
                return
            self.last_line = line.decode(errors="replace").rstrip("\n")
            self.say(self.last_line)

    def say(self, line: str) -> None:
        if not (self.quiet and self.quiet.search(line)):
            with contextlib.suppress(OSError):  # the terminal may be gone; the log file is not
                print(f"{self.name:<{self.width}} | {line}", flush=True)
        record: LogRecord = makeLogRecord({"msg": line})
        self._file.emit(record)

    def _sweep(self, group: int) -> None:
        """End what the process itself had started and left behind."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)

    async def stop(self, patience: float) -> None:
        """Ask the process to end, insist after `patience` seconds, and return when it is gone."""
        self._stopping = True
        if self._task is None:
            return
        if self.running:
            assert self.process is not None
            self.process.terminate()
            _done, late = await asyncio.wait([self._task], timeout=patience)
            if late:
                self._sweep(self.process.pid)
                await asyncio.wait([self._task], timeout=1)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._file.close()


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]
