"""A process that makes boards without guessing: `python -m lobby.dealing.dealer SPEC COUNT [SEED]`.

One deal a line goes to standard output; `SPEC` is `<width>x<height>x<mines>`. With a seed (hex) the
boards depend on it alone. It is a process of its own, so that a slow board blocks nobody, can be
stopped when it takes too long, and ends by itself when nobody reads its output any more.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import sys
from collections.abc import AsyncIterator
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from games.bots.noguess import NoGuessError, OutOfBudget, generate
from games.engine.rng import SEED_BYTES, derive

ROOT: Final = Path(__file__).resolve().parents[2]
FAILED: Final = "!"


class Spec(NamedTuple):
    """What a board must be like."""

    width: int
    height: int
    mines: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}x{self.mines}"

    @classmethod
    def read(cls, text: str) -> Spec:
        width, height, mines = map(int, text.split("x"))
        return cls(width, height, mines)


class NoBoard(Exception):
    """There is none to hand out; `code` as in games.bots.noguess."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def deal(spec: Spec, seed: bytes) -> bytes:
    """The board of this seed; raises NoGuessError."""
    start = derive(seed, "start").below(spec.width * spec.height)
    return generate(*spec, start, derive(seed, "mines")).deal()


async def deals(spec: Spec, count: int, patience: float, seed: bytes = b"") -> AsyncIterator[bytes]:
    """Boards as they are made; raises NoBoard when one takes longer than `patience` seconds or
    can't be made."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lobby.dealing.dealer", str(spec), str(count), seed.hex()),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        limit=2**20,
    )
    assert process.stdout is not None
    try:
        for _ in range(count):
            try:
                line = (await asyncio.wait_for(process.stdout.readline(), patience)).strip()
            except TimeoutError:
                raise NoBoard(OutOfBudget.code, "none was found in time") from None
            if not line or line.startswith(FAILED.encode()):
                code, _, text = line[1:].decode().partition(" ")
                raise NoBoard(code or OutOfBudget.code, text or "the search ended early")
            yield line
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def main(spec: Spec, count: int, seed: bytes) -> int:
    """Print so many deals; nice to everybody else on the machine."""
    os.nice(5)
    for number in range(count):
        own = (
            blake2b(b"board:%d" % number, key=seed, digest_size=SEED_BYTES).digest()
            if seed
            else secrets.token_bytes(SEED_BYTES)
        )
        try:
            line = deal(spec, own).decode()
        except NoGuessError as error:
            print(f"{FAILED}{error.code} {error}", flush=True)
            return 1
        try:
            print(line, flush=True)
        except BrokenPipeError:
            # Nobody reads any more; Python must not try again when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
    return 0


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(Spec.read(given[0]), int(given[1]), bytes.fromhex("".join(given[2:3]))))
