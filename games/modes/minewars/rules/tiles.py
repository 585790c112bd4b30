"""The numbers that stand for kinds of tiles, items, structures and levels of sight, and the tile
code: what a viewer knows of a tile in one number (games/modes/minewars/RULES.md, "Tile codes")."""

from __future__ import annotations

from typing import Final

WATER: Final = 0
LAND: Final = 1
FERTILE: Final = 2
DESTROYED: Final = 3
FOUNDATION: Final = 4
MOUNTAIN: Final = 5
FOREST: Final = 6
KINDS: Final = ("water", "land", "fertile", "destroyed", "foundation", "mountain", "forest")

IS_LAND: Final = (False, True, True, True, True, False, False)
"""By kind: can be captured as land."""
IS_CLUSTER: Final = (False, False, False, False, False, True, True)
"""By kind: is owned as a whole cluster."""

MINE: Final = 1
DECOY: Final = 2
FLASHBANG: Final = 3
ITEMS: Final = ("none", "mine", "decoy", "flashbang")

ROAD: Final = 1
BARRICADE: Final = 2
TOWER: Final = 3
BRIDGE: Final = 4
STRUCTURES: Final = ("none", "road", "barricade", "tower", "bridge")

FOG: Final = 0
LIMITED: Final = 1
FULL: Final = 2

NOBODY: Final = 0
"""The owner of neutral tiles. Empires count from 1."""

NO_REGION: Final = 255

# Where each part of a tile code begins.
KIND_MASK: Final = 7
LEVEL: Final = 3
OWNER: Final = 5
ITEM: Final = 8
STRUCTURE: Final = 10
HP: Final = 13
PENDING: Final = 17
DIGIT: Final = 20
STAR_BIT: Final = 1 << 24
SMOKE_BIT: Final = 1 << 25
SHIELD_BIT: Final = 1 << 26
SKULL_BIT: Final = 1 << 27
FLAG_BIT: Final = 1 << 28
