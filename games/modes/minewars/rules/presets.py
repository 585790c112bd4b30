"""The options of a match, and the named sets of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from games.engine import fields

from .ruleset import Ruleset

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "duel": {"players": 2, "cities": 5, "radius": 16},
    "classic": {"players": 4, "cities": 8, "radius": 32},
    "mayhem": {"players": 6, "cities": 6, "radius": 24, "ban_seconds": 0, "price_percent": 75},
    "duos": {"players": 6, "cities": 6, "radius": 24, "team_size": 2},
}
"""What each preset sets; `players` is how many it is made for."""

STANDARD_RADIUS: Final = 16
"""Of the smallest preset."""

TOPOLOGIES: Final = ("hex", "square")


@dataclass(frozen=True, slots=True)
class Options:
    """Complete: every field is said, the preset's or the match's own."""

    preset: str = "duel"
    topology: str = "hex"
    radius: int = 16
    cities: int = 5
    team_size: int = 1
    ban_seconds: int = 15
    limit_seconds: int = 1800
    mine_percent: int = 28
    decoy_percent: int = 9
    price_percent: int = 100


def parse_options(raw: object) -> Options:
    given = fields.options(raw, *Options.__slots__)
    name = given.word("preset", tuple(PRESETS), "duel")
    preset = PRESETS[name]
    numbers = Ruleset()
    return Options(
        preset=name,
        topology=given.word("topology", TOPOLOGIES, "hex"),
        radius=given.whole("radius", 8, 40, preset["radius"]),
        cities=given.whole("cities", 2, 12, preset["cities"]),
        team_size=given.whole("team_size", 1, 3, preset.get("team_size", 1)),
        ban_seconds=given.whole(
            "ban_seconds", 0, 120, preset.get("ban_seconds", numbers.ban_seconds)
        ),
        limit_seconds=given.whole("limit_seconds", 10, 7200, numbers.limit_seconds),
        mine_percent=given.whole("mine_percent", 0, 60, numbers.mine_percent),
        decoy_percent=given.whole("decoy_percent", 0, 40, numbers.decoy_percent),
        price_percent=given.whole(
            "price_percent", 10, 400, preset.get("price_percent", numbers.price_percent)
        ),
    )


def ruleset(options: Options) -> Ruleset:
    """The numbers of a match with these options. Only maps of a standard size are made again
    until they are fair."""
    numbers = Ruleset()
    return replace(
        numbers,
        map_attempts=numbers.map_attempts if options.radius >= STANDARD_RADIUS else 1,
        ban_seconds=options.ban_seconds,
        limit_seconds=options.limit_seconds,
        mine_percent=options.mine_percent,
        decoy_percent=options.decoy_percent,
        price_percent=options.price_percent,
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
