"""`manage.py minewars_map`: make the map of a seed, tell how fair it is, and draw it."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.modes.minewars.rules.mapgen import generate
from games.modes.minewars.rules.picture import draw
from games.modes.minewars.rules.presets import (
    PRESETS,
    TOPOLOGIES,
    city_count,
    empires_of,
    parse_options,
    ruleset,
)
from games.modes.minewars.rules.tiles import KINDS
from games.modes.minewars.rules.topology import topology


class Command(BaseCommand):
    help = (
        "Makes a MineWars map from a seed, prints its figures and draws it. "
        "Example: manage.py minewars_map --seed hills --preset duel --png map.png. "
        "Exit code 0: made; 1: the file can't be written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seed", required=True, help="64 hexadecimal digits, or any words (hashed)"
        )
        parser.add_argument(
            "--preset", type=str.lower, choices=tuple(PRESETS), default="duel", help="size (duel)"
        )
        parser.add_argument("--topology", choices=TOPOLOGIES, default="hex", help="tiles (hex)")
        parser.add_argument("--png", type=Path, help="file to draw the map to")

    def handle(self, *args: Any, **given: Any) -> None:
        options = parse_options({"preset": given["preset"], "topology": given["topology"]})
        seats = PRESETS[options.preset]["players"]
        cities = city_count(options, max(empires_of(options, seats)))
        island = generate(
            _seed(given["seed"]), options.topology, options.radius, cities, ruleset(options)
        )
        kinds = Counter(island.kinds)
        self.stdout.write(
            f"{options.preset}, {options.topology}, radius {options.radius}: "
            + ", ".join(f"{kinds[k]} {name}" for k, name in enumerate(KINDS) if kinds[k])
            + f", {len(island.rivers)} rivers"
        )
        for city, resources in enumerate(island.resources):
            tiles = island.regions.count(city)
            self.stdout.write(
                f"city {city} on cell {island.cities[city]}: {tiles} tiles, {resources} resources"
            )
        self.stdout.write(f"spread of region resources (max/min): {island.spread / 100:.2f}")
        if given["png"]:
            try:
                given["png"].write_bytes(draw(topology(options.topology, options.radius), island))
            except OSError as error:
                raise CommandError(f"The map can't be written: {error}") from error
            self.stdout.write(f"drawn to {given['png']}")


def _seed(text: str) -> bytes:
    if len(text) == 64 and all(c in "0123456789abcdefABCDEF" for c in text):
        return bytes.fromhex(text)
    return sha256(text.encode()).digest()
