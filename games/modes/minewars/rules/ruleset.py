"""Every number of MineWars. Balance is data: change a field here, not the code.

Times are in milliseconds, costs in hundredths of a base unit, shares in percent, resources in
whole units.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Final

VERSION: Final = 2
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
    river_least: int = 3
    river_tiles_percent: int = 4
    fertile_percent: int = 50
    """Chance of land next to water to be fertile."""
    spread_percent: int = 150
    """The richest region has at most this share of the poorest's resources."""
    map_attempts: int = 60
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
    siege_ms: int = 5000
    spoils_percent: int = 25
    """Of a city's money, what stays in it when it is taken."""
    neutral_city_units: int = 1000
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
    strike_cost: int = 100
    strike_tile_cost: int = 25
    strike_most: int = 19
    reveal_cost: int = 1000
    smoke_cost: int = 200
    mine_cost: int = 300
    decoy_cost: int = 300
    flashbang_cost: int = 400
    road_cost: int = 150
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

    # What is told
    seen_explosions: bool = True
    """Only those who see an explosion learn its place; others hear a tremor."""
    broadcast: bool = True
    """Spectators and the eliminated see the whole map, `watch_delay_seconds` late."""
    watch_delay_seconds: int = 30
    census_seconds: int = 15
    """How often the others' tiles are counted; 0: at once and exactly."""
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
        """What a client computes with: everything but how the island is made."""
        return dict(_numbers(self))

    def timing(self, action: str) -> tuple[int, int]:
        """Cooldown and delay of an action."""
        return getattr(self, f"{action}_cooldown"), getattr(self, f"{action}_delay")

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
        """What a harvest gives, by kind of tile; 0: nothing to harvest."""
        return (
            0,
            self.land_harvest,
            self.fertile_harvest,
            0,
            0,
            self.mountain_harvest,
            self.forest_harvest,
        )


_EARLIER: Final[dict[int, dict[str, Any]]] = {
    1: {
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
    }
}
"""What was different in earlier versions."""

_OF_THE_MAP: Final = frozenset(
    {
        "coast_percent",
        "lake_percent",
        "mountain_percent",
        "forest_percent",
        "cluster_least",
        "cluster_most",
        "river_least",
        "river_tiles_percent",
        "fertile_percent",
        "spread_percent",
        "map_attempts",
    }
)


@lru_cache(maxsize=64)
def _numbers(rules: Ruleset) -> dict[str, Any]:
    return {name: value for name, value in asdict(rules).items() if name not in _OF_THE_MAP}
