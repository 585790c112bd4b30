"""A process beside this one for what would hold the event loop: it computes, at low priority.

It knows the rules of all modes and nothing else: no Django, no database, no Redis. One call at a
time goes in and its answer comes out, both as bytes. It is started by the first call, ends when
nobody has called for a while, and ends by itself when the process that started it is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from games.engine.registry import REGISTRY

ROOT: Final = Path(__file__).resolve().parents[1]
LAZY_SECONDS: Final = 300.0
"""A process that nobody has called for so long ends; the next call starts another one."""
MOST_MEMORY: Final = 2 * 1024**3
LENGTH: Final = 4

Function = Callable[[bytes], bytes]


class ComputeError(Exception):
    """The function raised, took too long or took its process with it; `code` says which."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


class Refusal(Exception):
    """Raised by a function that can't compute what it is asked for; the caller gets `code`."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class Call(msgspec.Struct, array_like=True):
    function: str
    """"package.module:name" """
    given: bytes


class Answer(msgspec.Struct, array_like=True):
    result: bytes = b""
    code: str = ""
    text: str = ""


class ComputeProcess:
    """Calls of this process wait for each other: to compute two things at once, have two."""

    def __init__(self, niceness: int = 19) -> None:
        self._niceness = niceness
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._lazy: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    async def call(self, function: str, given: bytes, within: float) -> bytes:
        """Run the function and return its result. Raises ComputeError, also when it takes longer
        than so many seconds; its process is killed then."""
        async with self._turn:
            if self._lazy is not None:
                self._lazy.cancel()
            done = False
            try:
                async with asyncio.timeout(within):
                    answer = await self._call(msgspec.msgpack.encode(Call(function, given)))
                done = True
            except TimeoutError:
                raise ComputeError("too_slow", f"{function} took over {within:g} s") from None
            except (OSError, EOFError) as error:
                raise ComputeError("died", f"{function}: {error!r}") from error
            finally:
                if not done:
                    await self._end()
            loop = asyncio.get_running_loop()
            self._lazy = loop.call_later(LAZY_SECONDS, self._kill)
        if answer.code:
            raise ComputeError(answer.code, answer.text)
        return answer.result

    async def _call(self, raw: bytes) -> Answer:
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(len(raw).to_bytes(LENGTH) + raw)
        await process.stdin.drain()
        length = int.from_bytes(await process.stdout.readexactly(LENGTH))
        return msgspec.msgpack.decode(await process.stdout.readexactly(length), type=Answer)

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "games.compute", str(self._niceness), *REGISTRY.packages),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=ROOT,
        )

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _end(self) -> None:
        self._kill()
        if self._process is not None:
            await self._process.wait()
            self._process = None

    async def close(self) -> None:
        if self._lazy is not None:
            self._lazy.cancel()
        await self._end()


def answer(raw: bytes) -> Answer:
    """Carry out one call."""
    call = msgspec.msgpack.decode(raw, type=Call)
    module, _, name = call.function.partition(":")
    try:
        function: Function = getattr(import_module(module), name)
        return Answer(function(call.given))
    except Refusal as error:
        return Answer(code=error.code, text=str(error))
    except MemoryError:
        return Answer(code="too_large", text="there was not enough memory")
    except Exception as error:
        return Answer(code="failed", text=f"{type(error).__name__}: {error}")


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Answer calls until there are no more."""
    while head := calls.read(LENGTH):
        raw = msgspec.msgpack.encode(answer(calls.read(int.from_bytes(head))))
        answers.write(len(raw).to_bytes(LENGTH) + raw)
        answers.flush()


def main(niceness: int, packages: list[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started us
    os.nice(niceness)
    with contextlib.suppress(ValueError, OSError):  # a lower limit is in force already
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a print must not become an answer
    for package in packages:
        REGISTRY.add(package)
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    # By its name: the functions that it runs import this module too, and raise its Refusal.
    import_module("games.compute").main(int(sys.argv[1]), sys.argv[2:])
