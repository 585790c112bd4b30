"""Starts processes, shows what they say, restarts what dies, ends them all."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from logging import LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path

from minesite.backoff import Backoff
from minesite.parent import SUPERVISOR, ask_kernel

LOG_BYTES, LOG_FILES = 10_000_000, 3
LAST_WORDS = 1.0
"""Seconds that the output of a process may go on after its end."""

FULL_DISK_EVERY = 0.5
"""Seconds between two looks whether a process may start."""

Watched = dict[asyncio.subprocess.Process, asyncio.Task[int]]


class QuietFile(RotatingFileHandler):
    """A log file that can't be written, because the disk is full, costs lines and nothing else."""

    def handleError(self, record: LogRecord) -> None:
        pass


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
    on_death: Callable[[int], Awaitable[None]] | None = None
    # Asked before every start but the first.
    may_start: Callable[[], bool] = lambda: True
    # The process takes `--ready-fd` and writes a byte there once it works.
    tells_ready: bool = False
    width: int = 8
    last_line: str = ""
    process: asyncio.subprocess.Process | None = None
    # Every process that was started and its end, which is its exit code.
    _watched: Watched = field(default_factory=dict)
    _stopping: bool = False
    _task: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._file = QuietFile(
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
        self.process, _ready = await self._spawn()
        self._task = asyncio.create_task(self._keep_running())

    @property
    def running(self) -> bool:
        """Until it has ended, and all that it said was shown."""
        watched = self._watched.get(self.process) if self.process else None
        return watched is not None and not watched.done()

    async def _spawn(self) -> tuple[asyncio.subprocess.Process, asyncio.Task[bool]]:
        """A new process, and a task whose result tells whether it got ready or died before."""
        read_end, write_end = os.pipe()
        # Not asyncio's own pipe: it does not tell the end of a process whose output goes on, and
        # what the process itself had started may hold it open.
        output, said_here = os.pipe()
        extra = ["--ready-fd", str(write_end)] if self.tells_ready else []
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                *extra,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=said_here,
                stderr=asyncio.subprocess.STDOUT,
                pass_fds=(*self.pass_fds, write_end) if extra else self.pass_fds,
                env={**os.environ, **self.environment, SUPERVISOR: str(os.getpid())},
                start_new_session=True,  # Ctrl-C reaches `up` alone, which ends all in order
                preexec_fn=ask_kernel,
            )
        except BaseException:
            os.close(read_end)
            os.close(output)
            raise
        finally:
            os.close(write_end)
            os.close(said_here)
        self._watched[process] = asyncio.create_task(self._watch(process, output))
        return process, asyncio.create_task(_gets_a_byte(read_end))

    async def _keep_running(self) -> None:
        backoff = Backoff()
        last = None
        while not self._stopping:
            begin = time.monotonic()
            if self.process is None or self.process is last:
                await self._wait_for_leave()
                if self._stopping:
                    return
                begin = time.monotonic()
                try:
                    self.process, _ready = await self._spawn()
                except OSError as error:
                    self.say(f"{self.name} can't be started now: {error}")
                    await asyncio.sleep(backoff.after(0))
                    continue
            last = self.process
            code = await asyncio.shield(self._watched[last])
            del self._watched[last]
            if self._stopping:
                return
            if self.process is not last:
                continue  # another one has taken its place
            wait = backoff.after(time.monotonic() - begin)
            how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
            self.say(f"{self.name} {how}; it starts again in {wait:.1f} s")
            await asyncio.sleep(wait)

    async def _wait_for_leave(self) -> None:
        if not self.may_start():
            self.say(f"{self.name} waits until there is room on the disk")
            while not self.may_start() and not self._stopping:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(FULL_DISK_EVERY)

    async def _watch(self, process: asyncio.subprocess.Process, output: int) -> int:
        """Show what it says until it ends; returns its exit code."""
        showing = asyncio.create_task(self._show(output))
        code = await process.wait()
        self._sweep(process.pid)
        await asyncio.wait([showing], timeout=LAST_WORDS)
        showing.cancel()
        if self.on_death is not None:
            await self.on_death(process.pid)
        return code

    async def _show(self, output: int) -> None:
        lines = asyncio.StreamReader(limit=1 << 20)
        with os.fdopen(output, "rb", buffering=0) as pipe:
            transport, _protocol = await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(lines), pipe
            )
            with contextlib.closing(transport):
                while True:
                    try:
                        line = await lines.readline()
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

    async def replace(self, ready_within: float, patience: float) -> bool:
        """Put a new process beside the old one, and end the old one once the new one is ready.
        False: the new one did not get ready and is gone; the old one goes on."""
        new, ready = await self._spawn()
        is_ready = False
        try:
            async with asyncio.timeout(ready_within):
                is_ready = await ready
        except TimeoutError:
            pass
        finally:
            if not is_ready or self._stopping:
                self._sweep(new.pid)
                await self._watched.pop(new)
        if new not in self._watched:
            return False
        old, self.process = self.process, new
        if old is not None and (watched := self._watched.get(old)) is not None:
            await self._end({old: watched}, patience)
        return True

    async def stop(self, patience: float, *also: signal.Signals) -> None:
        """Ask the process to end (by SIGTERM, and `also`), insist after `patience` seconds, and
        return when it is gone."""
        self._stopping = True
        if self._task is None:
            return
        await self._end(dict(self._watched), patience, *also)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self._file.close()

    async def _end(self, processes: Watched, patience: float, *also: signal.Signals) -> None:
        for process in processes:
            for name in (signal.SIGTERM, *also):
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(name)
        if not processes:
            return
        _done, late = await asyncio.wait(processes.values(), timeout=patience)
        if late:
            for process, watched in processes.items():
                if watched in late:
                    self._sweep(process.pid)
            await asyncio.wait(late, timeout=1)


async def _gets_a_byte(fd: int) -> bool:
    """True once a byte comes; False when the last writer is gone without."""
    loop = asyncio.get_running_loop()
    readable = asyncio.Event()
    loop.add_reader(fd, readable.set)
    try:
        await readable.wait()
        return bool(os.read(fd, 1))
    finally:
        loop.remove_reader(fd)
        os.close(fd)


def python(*arguments: str) -> list[str]:
    return [sys.executable, *arguments]
