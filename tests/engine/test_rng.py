"""The generator: the test vectors of docs/rng.md, the specification followed by hand, no bias."""

from __future__ import annotations

import ast
import re
from collections import Counter
from hashlib import blake2b, sha256
from itertools import permutations
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.grid import square8
from games.engine.laying import lay, make_room, scatter
from games.engine.rng import Rng, commitment, derive, threshold

SEED = bytes(range(32))
DOCS = Path(__file__).parents[2] / "docs" / "rng.md"


def vectors() -> dict[str, object]:
    """The rows `| `what` | `value` |` of the document."""
    text = DOCS.read_text().split("## Test vectors")[1]
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", text, re.MULTILINE)
    return {what: ast.literal_eval(value) for what, value in rows}


def stream(label: str) -> Rng:
    return derive(SEED, label)


def shuffled(count: int) -> list[int]:
    items = list(range(count))
    stream("shuffle").shuffle(items)
    return items


MINES = lay(stream("mines"), 81, 10)

COMPUTED: dict[str, object] = {
    "Rng(seed): the first 18 words": (lambda r: [r.word() for _ in range(18)])(Rng(SEED)),
    'derive(seed, "mines"): the first 4 words': (lambda r: [r.word() for _ in range(4)])(
        stream("mines")
    ),
    'derive(seed, "mines"): below(10), ten times': (lambda r: [r.below(10) for _ in range(10)])(
        stream("mines")
    ),
    'derive(seed, "n"): below(3000000000)': stream("n").below(3_000_000_000),
    'derive(seed, "shuffle"): shuffle of 0..9': shuffled(10),
    'derive(seed, "sample"): sample(480, 10)': stream("sample").sample(480, 10),
    'derive(seed, "mines"): lay(81, 10), sorted': sorted(MINES),
    'derive(seed, "room"): these on 9x9 after make_room at cell 3, sorted': sorted(
        make_room(stream("room"), square8(9, 9), MINES, 3)
    ),
    'derive(seed, "mines"): scatter(40, 0.2)': scatter(stream("mines"), 40, 0.2),
    "threshold(0.2)": threshold(0.2),
    "commitment(seed)": commitment(SEED),
    'commitment(seed, deal {"mines":[1],"start":0})': commitment(SEED, b'{"mines":[1],"start":0}'),
}


def test_the_documents_vectors_are_what_the_generator_gives() -> None:
    assert vectors() == COMPUTED


def words_by_the_book(key: bytes, count: int) -> list[int]:
    """The specification once more, written differently."""
    data = b""
    block = 0
    while len(data) < 4 * count:
        data += blake2b(block.to_bytes(8, "little"), key=key, digest_size=64).digest()
        block += 1
    return [int.from_bytes(data[4 * i : 4 * i + 4], "little") for i in range(count)]


@given(st.binary(min_size=32, max_size=32), st.text(max_size=20))
def test_words_follow_the_specification(seed: bytes, label: str) -> None:
    key = blake2b(label.encode("utf-8", "surrogatepass"), key=seed, digest_size=32).digest()
    rng = Rng(key)
    assert [rng.word() for _ in range(40)] == words_by_the_book(key, 40)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2**32))
def test_below_takes_words_until_one_is_in_range(seed: bytes, n: int) -> None:
    limit = 2**32 - 2**32 % n
    word = next(w for w in words_by_the_book(seed, 400) if w < limit)
    assert Rng(seed).below(n) == word % n


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_below_has_bounds(n: int) -> None:
    with pytest.raises(ValueError, match="n must be"):
        Rng(SEED).below(n)


def test_keys_have_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Rng(b"short")


def chi_square(counts: Counter[object], outcomes: int) -> float:
    expected = counts.total() / outcomes
    missing = (outcomes - len(counts)) * expected
    return missing + sum((seen - expected) ** 2 / expected for seen in counts.values())


# The streams are fixed, so these cannot fail by bad luck. The bounds are the 99.9 % points.
def test_below_is_unbiased() -> None:
    rng = stream("below")
    assert chi_square(Counter(rng.below(7) for _ in range(70_000)), 7) < 22.5
    # Without rejection the lower third would come up twice as often as the rest.
    wide = 3 * 2**30
    assert chi_square(Counter(rng.below(wide) // 2**30 for _ in range(30_000)), 3) < 13.8


def test_shuffle_is_unbiased() -> None:
    rng = stream("orders")
    counts: Counter[object] = Counter()
    for _ in range(24_000):
        items = [0, 1, 2, 3]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.7


def test_sample_is_unbiased() -> None:
    rng = stream("samples")
    counts: Counter[object] = Counter(frozenset(rng.sample(6, 3)) for _ in range(20_000))
    assert chi_square(counts, comb(6, 3)) < 43.8


@given(st.binary(min_size=32, max_size=32), st.integers(0, 300), st.data())
def test_a_sample_has_different_members(seed: bytes, n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    sample = Rng(seed).sample(n, k)
    assert len(set(sample)) == len(sample) == k
    assert all(0 <= item < n for item in sample)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 300), st.data())
def test_a_sample_is_what_below_gives(seed: bytes, n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    rng, pool = Rng(seed), list(range(n))
    for i in range(k):
        j = i + rng.below(n - i)
        pool[i], pool[j] = pool[j], pool[i]
    again = Rng(seed)
    assert again.sample(n, k) == pool[:k]
    assert again.word() == rng.word()


def test_sample_has_bounds() -> None:
    with pytest.raises(ValueError, match="k must be"):
        Rng(SEED).sample(3, 4)


def test_streams_are_independent_of_each_other() -> None:
    assert stream("a").word() != stream("b").word()
    first = stream("a")
    first.word()
    assert stream("a").word() != first.word()


@pytest.mark.parametrize(("probability", "expected"), [(0.0, 0), (1.0, 1000)])
def test_scattering_with_chance_0_or_1_is_sure(probability: float, expected: int) -> None:
    assert len(scatter(stream("sure"), 1000, probability)) == expected


def test_the_commitment_is_a_plain_sha256() -> None:
    assert commitment(SEED, b"deal") == sha256(SEED + b"deal").hexdigest()
