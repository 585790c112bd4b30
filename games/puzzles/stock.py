"""The puzzles that come with the site, made by `manage.py puzzles`, and how puzzles are stored."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from hashlib import blake2s
from pathlib import Path
from typing import Any, Final

import msgspec

from games.puzzles.making import Made, bits, named
from games.puzzles.models import Puzzle
from games.puzzles.position import Position

FILE: Final = Path(__file__).parent / "data" / "stock.jsonl.gz"
SIGMA: Final = 5.0
"""The uncertainty of a new puzzle's difficulty: an estimate, better than none."""
TOGETHER: Final = 500


class Line(msgspec.Struct, array_like=True):
    """A puzzle in the file."""

    question: str
    width: int
    cells: str
    mines: int | None
    answer: dict[str, Any]
    tags: int
    mu: float


def write(path: Path, puzzles: Iterable[Made]) -> None:
    """The same puzzles give the same file, byte for byte."""
    lines = [
        msgspec.json.encode(
            Line(
                one.question, one.position.width, one.position.cells, one.position.mines,
                one.answer, bits(one.tags), one.mu,
            )
        )
        for one in puzzles
    ]  # fmt: skip
    path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n", 9, mtime=0))


def read(path: Path = FILE) -> Iterator[Made]:
    decode = msgspec.json.Decoder(Line).decode
    for line in gzip.decompress(path.read_bytes()).splitlines():
        one = decode(line)
        height = len(one.cells) // one.width
        position = Position(one.width, height, one.cells, one.mines)
        yield Made(one.question, position, one.answer, tuple(named(one.tags)), one.mu)


def store(puzzles: Iterable[Made], source: str) -> int:
    """Add those that aren't there yet; returns how many. Doing it again changes nothing."""
    rows = {key: row for row in (_row(one, source) for one in puzzles) if (key := row.key)}
    keys = list(rows)
    for start in range(0, len(keys), TOGETHER):
        part = keys[start : start + TOGETHER]
        for known in Puzzle.objects.filter(key__in=part).values_list("key", flat=True):
            del rows[known]
    Puzzle.objects.bulk_create(rows.values(), ignore_conflicts=True, batch_size=TOGETHER)
    return len(rows)


def _row(made: Made, source: str) -> Puzzle:
    position = made.position
    return Puzzle(
        key=blake2s(made.key.encode(), digest_size=16).hexdigest(),
        question=made.question,
        width=position.width,
        height=position.height,
        cells=position.cells,
        mines=position.mines,
        answer=made.answer,
        tags=bits(made.tags),
        mu=made.mu,
        sigma=SIGMA,
        source=source,
    )


def ensure() -> None:
    """Load the stock into a site that has no puzzles."""
    if not Puzzle.objects.exists():
        store(read(), Puzzle.Source.STOCK)
