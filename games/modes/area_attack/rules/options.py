"""The numbers of a match. Each has the default of the rules; the match stores what it used."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final

from games.engine.fields import options
from games.engine.options import Number, Whole, gettext_noop

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


SIZE: Final = Whole(
    "size",
    16,
    100,
    40,
    label=gettext_noop("Field"),
    choices=(
        (20, gettext_noop("small, 20 × 20")),
        (40, gettext_noop("standard, 40 × 40")),
        (60, gettext_noop("large, 60 × 60")),
        (100, gettext_noop("huge, 100 × 100")),
    ),
)
DENSITY: Final = Number(
    "density",
    0.05,
    0.35,
    0.2,
    label=gettext_noop("Mines"),
    choices=(
        (0.15, gettext_noop("few, 15%")),
        (0.2, gettext_noop("standard, 20%")),
        (0.25, gettext_noop("many, 25%")),
    ),
)
FREEZE: Final = Whole(
    "freeze_seconds",
    1,
    60,
    10,
    label=gettext_noop("Freeze time"),
    unit=gettext_noop("s"),
)
PICK: Final = Whole(
    "pick_seconds",
    1,
    300,
    30,
    label=gettext_noop("Time to pick a start"),
    unit=gettext_noop("s"),
    advanced=True,
)
START_DISTANCE: Final = Number(
    "min_start_distance",
    0,
    33,
    10,
    label=gettext_noop("Distance between starts"),
    help=gettext_noop("At most a third of the field’s width. A quarter is standard."),
    unit=gettext_noop("cells"),
    advanced=True,
    derived=True,
)
ATTACK_RADIUS: Final = Whole(
    "attack_radius",
    1,
    10,
    3,
    label=gettext_noop("Blast radius"),
    unit=gettext_noop("cells"),
    advanced=True,
)
ATTACK_AT: Final = Whole(
    "attack_at_seconds",
    1,
    LONGEST - 1,
    180,
    label=gettext_noop("Attack stage starts after"),
    unit=gettext_noop("s"),
    advanced=True,
)
ATTACK_AT_CLAIMED: Final = Number(
    "attack_at_claimed",
    0.01,
    1,
    0.5,
    label=gettext_noop("Attack stage starts once this much is claimed"),
    advanced=True,
)
LOCK_AT: Final = Whole(
    "lock_at_seconds",
    1,
    LONGEST - 1,
    360,
    label=gettext_noop("Lock stage starts after"),
    unit=gettext_noop("s"),
    advanced=True,
)
LOCK_AT_CLAIMED: Final = Number(
    "lock_at_claimed",
    0.01,
    1,
    0.8,
    label=gettext_noop("Lock stage starts once this much is claimed"),
    advanced=True,
)
LOCK: Final = Whole(
    "lock_seconds",
    1,
    LONGEST - 1,
    60,
    label=gettext_noop("Length of the lock stage"),
    unit=gettext_noop("s"),
    advanced=True,
)
OPTIONS: Final = (
    SIZE,
    DENSITY,
    FREEZE,
    PICK,
    START_DISTANCE,
    ATTACK_RADIUS,
    ATTACK_AT,
    ATTACK_AT_CLAIMED,
    LOCK_AT,
    LOCK_AT_CLAIMED,
    LOCK,
)


def figures() -> dict[str, Any]:
    """The numbers of the rules that its page tells, for a match with the usual options."""

    def minutes(seconds: int) -> str:
        return f"{seconds // 60}:{seconds % 60:02}"

    return {
        "blast": 2 * ATTACK_RADIUS.default + 1,
        "attack_at": minutes(ATTACK_AT.default),
        "attack_percent": round(100 * ATTACK_AT_CLAIMED.default),
        "lock_at": minutes(LOCK_AT.default),
        "lock_percent": round(100 * LOCK_AT_CLAIMED.default),
    }


def parse_options(raw: object) -> Options:
    given = options(raw, *(field.name for field in fields(Options)))
    size = SIZE.read(given)
    parsed = Options(
        size=size,
        density=DENSITY.read(given),
        pick_seconds=PICK.read(given),
        # Three discs of a third of the side never cover the board: a legal start is always left.
        min_start_distance=START_DISTANCE.read(given, high=size // 3, default=size / 4),
        freeze_seconds=FREEZE.read(given),
        attack_radius=ATTACK_RADIUS.read(given),
        attack_at_seconds=ATTACK_AT.read(given),
        attack_at_claimed=ATTACK_AT_CLAIMED.read(given),
        lock_at_seconds=LOCK_AT.read(given),
        lock_at_claimed=LOCK_AT_CLAIMED.read(given),
        lock_seconds=LOCK.read(given),
    )
    if (
        parsed.attack_at_seconds > parsed.lock_at_seconds
        or parsed.attack_at_claimed > parsed.lock_at_claimed
    ):
        raise given.bad("Stage Attack must not start after stage Lock.")
    if parsed.lock_at_seconds + parsed.lock_seconds > LONGEST:
        raise given.bad(f"lock_at_seconds and lock_seconds together are at most {LONGEST}.")
    return parsed
