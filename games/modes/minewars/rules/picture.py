"""An island as a PNG image, written with zlib alone."""

from __future__ import annotations

import zlib
from struct import pack
from typing import Final

from .mapgen import Island
from .tiles import NO_REGION
from .topology import Topology

Colour = tuple[int, int, int]

COLOURS: Final[tuple[Colour, ...]] = (
    (38, 84, 124),  # water
    (196, 178, 128),  # land
    (150, 190, 90),  # fertile
    (92, 80, 70),  # destroyed
    (130, 130, 130),  # foundation
    (110, 104, 112),  # mountain
    (44, 110, 60),  # forest
)
CITY: Final[Colour] = (220, 40, 40)
TINTS: Final[tuple[Colour, ...]] = (
    (230, 120, 40),
    (60, 120, 220),
    (200, 60, 200),
    (240, 220, 60),
    (60, 200, 200),
    (240, 240, 240),
    (120, 60, 40),
    (20, 20, 20),
)
_HALF: Final = 5
"""Half a tile's width in pixels."""


def draw(topo: Topology, island: Island) -> bytes:
    """Every tile in the colour of its kind, tinted by its region; cities stand out."""
    unit = 2 * _HALF
    row = unit * 7 // 8 if topo.hexagonal else unit
    middle = topo.radius * unit + _HALF
    width = height = (2 * topo.radius + 1) * unit
    pixels = [bytearray(COLOURS[0] * width) for _ in range(height)]
    cities = set(island.cities)
    for cell, (x, y) in enumerate(topo.coords):
        colour = CITY if cell in cities else _colour(island.kinds[cell], island.regions[cell])
        if topo.hexagonal:
            left = middle + x * unit + y * _HALF - _HALF
            top = middle + y * row - _HALF
        else:
            left, top = x * unit, y * unit
        for dy in range(unit):
            inset = _inset(dy, unit) if topo.hexagonal else 0
            line = pixels[top + dy]
            start = (left + inset) * 3
            line[start : start + (unit - 2 * inset - 1) * 3] = bytes(colour) * (
                unit - 2 * inset - 1
            )
    return _png(width, height, pixels)


def _inset(dy: int, unit: int) -> int:
    """The indent of a row of hexagons that are pointed at top and bottom."""
    edge = min(dy, unit - 1 - dy)
    return max(0, _HALF - 1 - 2 * edge)


def _colour(kind: int, region: int) -> Colour:
    red, green, blue = COLOURS[kind]
    if region == NO_REGION:
        return red, green, blue
    tint = TINTS[region % len(TINTS)]
    return (red * 4 + tint[0]) // 5, (green * 4 + tint[1]) // 5, (blue * 4 + tint[2]) // 5


def _png(width: int, height: int, rows: list[bytearray]) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data))

    head = pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
