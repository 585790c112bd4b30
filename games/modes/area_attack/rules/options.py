"""The numbers of a match. Each has the default of the rules; the match stores what it used."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from games.engine.fields import options

LONGEST: Final = 420
"""Seconds that no match exceeds, counted from the start of stage 1."""


@dataclass(frozen=True, slots=True)
class Options:
    size: int
    density: float
    pick_seconds: int
    min_start_distance: float
    freeze_seconds: int
    attack_radius: int
    attack_at_seconds: int
    attack_at_claimed: float
    lock_at_seconds: int
    lock_at_claimed: float
    lock_seconds: int


def parse_options(raw: object) -> Options:
    given = options(raw, *(field.name for field in fields(Options)))
    size = given.whole("size", 16, 100, 40)
    attack_at_claimed = given.number("attack_at_claimed", 0.01, 1, 0.5)
    lock_at_seconds = given.whole("lock_at_seconds", 1, LONGEST - 1, 360)
    parsed = Options(
        size=size,
        density=given.number("density", 0.05, 0.35, 0.2),
        pick_seconds=given.whole("pick_seconds", 1, 300, 30),
        # Three discs of a third of the side never cover the board: a legal start is always left.
        min_start_distance=given.number("min_start_distance", 0, size // 3, size / 4),
        freeze_seconds=given.whole("freeze_seconds", 1, 60, 10),
        attack_radius=given.whole("attack_radius", 1, 10, 3),
        attack_at_seconds=given.whole("attack_at_seconds", 1, LONGEST - 1, 180),
        attack_at_claimed=attack_at_claimed,
        lock_at_seconds=lock_at_seconds,
        lock_at_claimed=given.number("lock_at_claimed", 0.01, 1, 0.8),
        lock_seconds=given.whole("lock_seconds", 1, LONGEST - 1, 60),
    )
    if parsed.attack_at_seconds > lock_at_seconds or attack_at_claimed > parsed.lock_at_claimed:
        raise given.bad("Stage Attack must not start after stage Lock.")
    if lock_at_seconds + parsed.lock_seconds > LONGEST:
        raise given.bad(f"lock_at_seconds and lock_seconds together are at most {LONGEST}.")
    return parsed
