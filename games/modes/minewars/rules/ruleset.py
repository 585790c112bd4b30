"""Every number of MineWars. Balance is data: change a field here, not the code.

Times are in milliseconds, costs in hundredths of a base unit, shares in percent, resources in
whole units.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Final

VERSION: Final = 3
"""Of the rules as they are played today."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    # The island, in percent of its tiles
    coast_percent: int = 9
    lake_percent: int = 3
    mountain_percent: int = 9
    forest_percent: int = 12
    cluster_least: int = 2
    cluster_most: int = 6
    range_percent: int = 70
    """Of the mountains, how many stand one tile from another: gaps that a barricade can close."""
    river_least: int = 3
    river_tiles_percent: int = 4
    fertile_percent: int = 50
    """Chance of land next to water to be fertile."""
    spread_percent: int = 150
    """The richest region has at most this share of the poorest's resources."""
    map_attempts: int = 60
    city_room: int = 2
    """So many tiles around a city are land: nobody starts in a pocket with one way out."""
    mine_percent: int = 28
    decoy_percent: int = 9

    # Sight, in tiles and ms
    sight_radius: int = 3
    tower_radius: int = 5
    lift_ms: int = 2000

    # Owning
    protected_ms: int = 2500
    expand_over_others: bool = False
    """A capture's expansion also takes known empty land that is another empire's."""
    expand_always: bool = True
    """Land is captured by itself whenever an own digit becomes 0 by the player's own doing, not
    only after a capture; and capturing an own 0 opens around it."""
    capture_from_cities: bool = False
    """From a city's tile alone its owner can also capture others' land, not only nobody's."""
    siege_ms: int = 5000
    """The time for which all land around a neutral city must be held to take it."""
    held_siege_ms: int = 8000
    """Likewise, for a city that is another empire's."""
    fall_radius: int = 3
    """With a city its taker gets the loser's land so many tiles around it."""
    late_seconds: int = 360
    """The beginning of the late phase, after the start; 0: never."""
    late_siege_ms: int = 2000
    """The length of any siege that begins in the late phase."""
    late_overrun: int = 10
    """The most tiles of others that a capture's expansion takes in the late phase."""
    late_smaller: int = 2
    """As how many of these a tile counts whose empire had less land at the last census, a figure
    that everybody knows: an early lead does not decide the match."""
    late_smaller_seconds: int = 120
    """So long after the late phase begins; then all land counts the same, and the match ends."""
    late_strike_percent: int = 50
    """Of the price of a strike, in the late phase."""
    spoils_percent: int = 25
    """Of a city's money, what stays in it when it is taken."""
    neutral_city_units: int = 500
    item_sale_percent: int = 75

    # Actions: cooldown and delay
    capture_cooldown: int = 125
    capture_delay: int = 250
    strike_cooldown: int = 1000
    strike_delay: int = 1000
    reveal_cooldown: int = 1000
    reveal_delay: int = 250
    smoke_cooldown: int = 1000
    smoke_delay: int = 500
    deploy_cooldown: int = 1000
    deploy_delay: int = 500
    build_cooldown: int = 500
    build_delay: int = 0
    cancel_cooldown: int = 500
    cancel_delay: int = 0
    bulldoze_cooldown: int = 2000
    bulldoze_delay: int = 5000
    harvest_cooldown: int = 1000
    harvest_delay: int = 2000
    flag_cooldown: int = 0
    flag_delay: int = 0

    ping_cooldown: int = 500
    ping_delay: int = 0
    strike_reach: bool = True
    """Strikes hit only foreign tiles that own tiles or towers have in sight."""
    flag_while_stunned: bool = True

    # Costs
    strike_cost: int = 200
    strike_tile_cost: int = 50
    strike_most: int = 19
    reveal_cost: int = 100
    smoke_cost: int = 100
    mine_cost: int = 300
    decoy_cost: int = 300
    flashbang_cost: int = 400
    road_cost: int = 100
    barricade_cost: int = 800
    tower_cost: int = 1200
    bridge_cost: int = 500
    foreign_percent: int = 125
    price_percent: int = 100
    price_step: int = 100
    cancel_percent: int = 50
    bulldoze_percent: int = 25
    build_most: int = 64

    # Economy, in resources
    start_units: int = 1600
    city_income: int = 50
    land_income: int = 1
    fertile_income: int = 2
    forest_income: int = 3
    mountain_income: int = 5
    land_harvest: int = 100
    fertile_harvest: int = 250
    forest_harvest: int = 420
    mountain_harvest: int = 600
    work_percent: int = 100
    """Earnings that a structure takes to build, in percent of its price."""
    pay_as_built: bool = True
    """A structure costs only the earnings that build it. False: its price beforehand, too."""
    harvest_builds: bool = True
    """A harvest counts towards the city's first job, if there is one."""
    roads_cross_bridges: bool = True

    # Structures and explosions
    road_hp: int = 3
    barricade_hp: int = 8
    tower_hp: int = 5
    bridge_hp: int = 4
    damage_there: int = 2
    damage_beside: int = 1

    # Effects
    stun_ms: int = 5000
    blind_ms: int = 5000
    smoke_ms: int = 5000

    star_flashbangs: bool = False
    """A flashbang among a digit's items shows as `*`, as a decoy does."""

    # Knowledge of others
    seen_explosions: bool = True
    """Only those who see an explosion learn its place; others hear a tremor."""
    broadcast: bool = True
    """Spectators and the eliminated see the whole map, `watch_delay_seconds` late."""
    watch_delay_seconds: int = 30
    census_seconds: int = 15
    """The time between two counts of the others' tiles; 0: at once and exactly."""
    census_step: int = 10
    """To what the count of others' tiles is rounded."""
    full_reports: bool = True
    """Views and events have what a client needs to show reasons, amounts and end times."""

    # The match
    votes: int = 2
    ban_seconds: int = 15
    limit_seconds: int = 1800

    @classmethod
    def for_version(cls, version: int) -> Ruleset:
        """The rules as they were in this version."""
        return replace(cls(), **_EARLIER.get(version, {}))

    def as_json(self) -> dict[str, Any]:
        """The figures that a client computes with: all but those that make the island. Matches of
        earlier versions, which have no late phase, go without the fields that came with it."""
        return dict(_numbers(self))

    def timing(self, action: str) -> tuple[int, int]:
        """Cooldown and delay of an action."""
        return getattr(self, f"{action}_cooldown"), getattr(self, f"{action}_delay")

    def figures(self) -> dict[str, int]:
        """The numbers that the page of rules tells: seconds, minutes, percent and tiles."""
        return {
            "siege": self.siege_ms // 1000,
            "held_siege": self.held_siege_ms // 1000,
            "late_siege": self.late_siege_ms // 1000,
            "late_minutes": self.late_seconds // 60,
            "late_strike_percent": self.late_strike_percent,
            "late_overrun": self.late_overrun,
            "late_smaller_overrun": self.late_overrun // self.late_smaller,
            "late_smaller_minutes": self.late_smaller_seconds // 60,
            "stun": self.stun_ms // 1000,
            "blind": self.blind_ms // 1000,
            "delay": self.watch_delay_seconds,
            "limit_minutes": self.limit_seconds // 60,
        }

    def strike_units(self, tiles: int, late: bool) -> int:
        """The price of a strike on so many tiles, in hundredths of a base unit."""
        cost = self.strike_cost + self.strike_tile_cost * tiles
        return cost * self.late_strike_percent // 100 if late else cost

    def item_cost(self, item: int) -> int:
        return (0, self.mine_cost, self.decoy_cost, self.flashbang_cost)[item]

    def structure_cost(self, kind: int) -> int:
        return (0, self.road_cost, self.barricade_cost, self.tower_cost, self.bridge_cost)[kind]

    def structure_hp(self, kind: int) -> int:
        return (0, self.road_hp, self.barricade_hp, self.tower_hp, self.bridge_hp)[kind]

    @property
    def income(self) -> tuple[int, ...]:
        """Resources per second, by kind of tile."""
        return (
            0,
            self.land_income,
            self.fertile_income,
            0,
            0,
            self.mountain_income,
            self.forest_income,
        )

    @property
    def harvest(self) -> tuple[int, ...]:
        """The yield of a harvest, by kind of tile; 0: nothing to harvest."""
        return (
            0,
            self.land_harvest,
            self.fertile_harvest,
            0,
            0,
            self.mountain_harvest,
            self.forest_harvest,
        )


_BEFORE_3: Final[dict[str, Any]] = {
    "range_percent": 0,
    "neutral_city_units": 1000,
    "city_room": 1,
    "capture_from_cities": True,
    "held_siege_ms": 5000,
    "fall_radius": 0,
    "late_seconds": 0,
    "strike_cost": 100,
    "strike_tile_cost": 25,
    "reveal_cost": 1000,
    "smoke_cost": 200,
    "road_cost": 150,
}
_EARLIER: Final[dict[int, dict[str, Any]]] = {
    2: _BEFORE_3,
    1: {
        **_BEFORE_3,
        "expand_over_others": True,
        "expand_always": False,
        "strike_reach": False,
        "flag_while_stunned": False,
        "pay_as_built": False,
        "harvest_builds": False,
        "roads_cross_bridges": False,
        "star_flashbangs": True,
        "seen_explosions": False,
        "broadcast": False,
        "census_seconds": 0,
        "full_reports": False,
    },
}
"""The differences of earlier versions."""

_OF_THE_MAP: Final = frozenset(
    {
        "coast_percent",
        "lake_percent",
        "mountain_percent",
        "forest_percent",
        "cluster_least",
        "cluster_most",
        "range_percent",
        "river_least",
        "river_tiles_percent",
        "fertile_percent",
        "spread_percent",
        "map_attempts",
        "city_room",
    }
)
_SINCE_3: Final = frozenset(
    {
        "capture_from_cities",
        "held_siege_ms",
        "fall_radius",
        "late_seconds",
        "late_siege_ms",
        "late_overrun",
        "late_smaller",
        "late_smaller_seconds",
        "late_strike_percent",
    }
)


@lru_cache(maxsize=64)
def _numbers(rules: Ruleset) -> dict[str, Any]:
    hidden = _OF_THE_MAP if rules.late_seconds else _OF_THE_MAP | _SINCE_3
    return {name: value for name, value in asdict(rules).items() if name not in hidden}
