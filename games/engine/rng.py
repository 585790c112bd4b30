"""The engine's generator: keyed BLAKE2b in counter mode.

Specified so that another language can reproduce every board:

- A stream has a 32-byte key. Block number `i` (0, 1, 2, ...) is
  `BLAKE2b(message = i as 8 bytes little endian, key = key, digest size 64 bytes)`.
- The blocks, one after another, are read as unsigned 32-bit little-endian words.
- `below(n)`, for 1 <= n <= 2**32: take words until one is less than `2**32 - 2**32 % n`; the
  result is that word modulo n. Every result is equally likely.
- `shuffle(items)`: for i from the last index down to 1, swap items i and `below(i + 1)`.
- `sample(n, k)`: the first k of the list 0..n-1 after, for i from 0 to k-1, swapping items i and
  `i + below(n - i)`.
- `derive(seed, label)`: the stream whose key is `BLAKE2b(message = label in UTF-8, key = seed,
  digest size 32 bytes)`. Each purpose has its own label, so no purpose disturbs another.

`commitment(seed, deal)` is the SHA-256 of the seed followed by the deal: shown at the start, so
that the seed shown at the end can be checked by anyone.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b, sha256
from struct import Struct
from typing import Final, TypeVar

T = TypeVar("T")

SEED_BYTES: Final = 32
_WORDS: Final = Struct("<16I")
_SPAN: Final = 1 << 32


class Rng:
    """A stream of unbiased random choices, fully determined by its 32-byte key."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        if len(key) != SEED_BYTES:
            raise ValueError("a key must have 32 bytes")
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next unsigned 32-bit word."""
        return self._words.pop() if self._words else self._next_block().pop()

    def _next_block(self) -> list[int]:
        """The words of the next block, the first one last."""
        block = blake2b(self._block.to_bytes(8, "little"), key=self._key, digest_size=64)
        self._words.extend(reversed(_WORDS.unpack(block.digest())))
        self._block += 1
        return self._words

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""
        if not 1 <= n <= _SPAN:
            raise ValueError("n must be from 1 to 2**32")
        limit = _SPAN - _SPAN % n
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % n

    def chance(self, threshold: int) -> bool:
        """True with probability threshold / 2**32."""
        return self.word() < threshold

    def choice(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in a uniformly random order, in place."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, n: int, k: int) -> list[int]:
        """k different numbers from 0 to n - 1, in random order."""
        if not 0 <= k <= n:
            raise ValueError("k must be from 0 to n")
        pool = list(range(n))
        words = self._words
        for i in range(k):
            # `below(n - i)`, written out: boards are laid with this.
            limit = _SPAN - _SPAN % (n - i)
            while (word := (words or self._next_block()).pop()) >= limit:
                pass
            j = i + word % (n - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]


def derive(seed: bytes, label: str) -> Rng:
    """An independent stream for one purpose of one match."""
    return Rng(blake2b(label.encode(), key=seed, digest_size=SEED_BYTES).digest())


def threshold(probability: float) -> int:
    """The argument for `Rng.chance` that stands for this probability."""
    return round(probability * _SPAN)


def commitment(seed: bytes, deal: bytes = b"") -> str:
    """The commitment that players are shown before the first move, in hexadecimal."""
    return sha256(seed + deal).hexdigest()
