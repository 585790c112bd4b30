"""The options of a match, and the named sets of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from games.engine import fields
from games.engine.options import Whole, Word, gettext_noop

from .ruleset import VERSION, Ruleset

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "duel": {"players": 2, "cities": 5, "radius": 16},
    "classic": {"players": 4, "cities": 8, "radius": 32},
    "mayhem": {"players": 6, "cities": 6, "radius": 24, "ban_seconds": 0, "price_percent": 75},
    "duos": {"players": 6, "cities": 6, "radius": 24, "team_size": 2},
}
"""The values of each preset; `players` is the number that it is made for."""

STANDARD_RADIUS: Final = 16
"""Of the smallest preset."""

_NUMBERS: Final = Ruleset()

PRESET: Final = Word(
    "preset",
    (
        ("duel", gettext_noop("Duel")),
        ("classic", gettext_noop("Classic")),
        ("mayhem", gettext_noop("Mayhem")),
        ("duos", gettext_noop("Duos")),
    ),
    "duel",
    label=gettext_noop("Map"),
)
TOPOLOGY: Final = Word(
    "topology",
    (("hex", gettext_noop("hexagons")), ("square", gettext_noop("squares"))),
    "hex",
    label=gettext_noop("Tiles"),
    advanced=True,
)
TOPOLOGIES: Final = tuple(word for word, _ in TOPOLOGY.choices)
RADIUS: Final = Whole(
    "radius",
    8,
    40,
    16,
    label=gettext_noop("Radius of the island"),
    unit=gettext_noop("tiles"),
    advanced=True,
)
CITIES: Final = Whole("cities", 2, 12, 5, label=gettext_noop("Cities"), advanced=True)
TEAM_SIZE: Final = Whole(
    "team_size", 1, 3, 1, label=gettext_noop("Players per team"), advanced=True
)
BAN: Final = Whole(
    "ban_seconds",
    0,
    120,
    _NUMBERS.ban_seconds,
    label=gettext_noop("Time to ban cities"),
    unit=gettext_noop("s"),
    advanced=True,
)
LIMIT: Final = Whole(
    "limit_seconds",
    10,
    7200,
    _NUMBERS.limit_seconds,
    label=gettext_noop("Time limit"),
    unit=gettext_noop("s"),
    advanced=True,
)
MINES: Final = Whole(
    "mine_percent",
    0,
    60,
    _NUMBERS.mine_percent,
    label=gettext_noop("Mines"),
    unit=gettext_noop("%"),
    advanced=True,
)
DECOYS: Final = Whole(
    "decoy_percent",
    0,
    40,
    _NUMBERS.decoy_percent,
    label=gettext_noop("Decoys"),
    unit=gettext_noop("%"),
    advanced=True,
)
PRICES: Final = Whole(
    "price_percent",
    10,
    400,
    _NUMBERS.price_percent,
    label=gettext_noop("Prices"),
    unit=gettext_noop("%"),
    advanced=True,
)
WATCH_DELAY: Final = Whole(
    "watch_delay_seconds",
    0,
    300,
    _NUMBERS.watch_delay_seconds,
    label=gettext_noop("Delay for spectators"),
    unit=gettext_noop("s"),
    advanced=True,
)
OPTIONS: Final = (
    PRESET,
    TOPOLOGY,
    RADIUS,
    CITIES,
    TEAM_SIZE,
    BAN,
    LIMIT,
    MINES,
    DECOYS,
    PRICES,
    WATCH_DELAY,
)


@dataclass(frozen=True, slots=True)
class Options:
    """Complete: every field is said, the preset's or the match's own."""

    preset: str = PRESET.default
    topology: str = TOPOLOGY.default
    radius: int = RADIUS.default
    cities: int = CITIES.default
    team_size: int = TEAM_SIZE.default
    ban_seconds: int = BAN.default
    limit_seconds: int = LIMIT.default
    mine_percent: int = MINES.default
    decoy_percent: int = DECOYS.default
    price_percent: int = PRICES.default
    watch_delay_seconds: int = field(default=WATCH_DELAY.default, metadata={"since": 2})


def parse_options(raw: object) -> Options:
    given = fields.options(raw, *Options.__slots__)
    name = PRESET.read(given)
    preset = PRESETS[name]
    return Options(
        preset=name,
        topology=TOPOLOGY.read(given),
        radius=RADIUS.read(given, default=preset["radius"]),
        cities=CITIES.read(given, default=preset["cities"]),
        team_size=TEAM_SIZE.read(given, default=preset.get("team_size")),
        ban_seconds=BAN.read(given, default=preset.get("ban_seconds")),
        limit_seconds=LIMIT.read(given),
        mine_percent=MINES.read(given),
        decoy_percent=DECOYS.read(given),
        price_percent=PRICES.read(given, default=preset.get("price_percent")),
        watch_delay_seconds=WATCH_DELAY.read(given),
    )


def ruleset(options: Options, version: int = VERSION) -> Ruleset:
    """The numbers of a match with these options. Only maps of a standard size are made again
    until they are fair."""
    numbers = Ruleset.for_version(version)
    return replace(
        numbers,
        map_attempts=numbers.map_attempts if options.radius >= STANDARD_RADIUS else 1,
        ban_seconds=options.ban_seconds,
        limit_seconds=options.limit_seconds,
        mine_percent=options.mine_percent,
        decoy_percent=options.decoy_percent,
        price_percent=options.price_percent,
        watch_delay_seconds=options.watch_delay_seconds,
    )


def empires_of(options: Options, seats: int) -> tuple[int, ...]:
    """The empire of each seat, from 1: `team_size` seats after another share one. A match has at
    least two sides: with too few seats for two empires everybody is alone."""
    size = options.team_size if seats > options.team_size else 1
    return tuple(1 + seat // size for seat in range(seats))


def city_count(options: Options, empires: int) -> int:
    """As many as asked for and as there is room for, and enough for everybody, also after a ban."""
    room = options.radius**2 // 8
    return max(min(options.cities, room), empires + (1 if options.ban_seconds else 0))
