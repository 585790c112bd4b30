"""Names of cities, so that people can talk about them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from games.engine.rng import derive

NAMES: Final = (
    "Alderton", "Amberley", "Ashford", "Birchwood", "Blackmoor", "Brackwater", "Bramley",
    "Calder", "Cedarholm", "Clearbrook", "Cliffden", "Coldspring", "Copperhill", "Cranfield",
    "Dawnport", "Deepwell", "Dunmore", "Eastmere", "Elmstead", "Fairhaven", "Fernvale",
    "Foxley", "Glenrock", "Goldcrest", "Greyford", "Hartwick", "Hazelton", "Highgate",
    "Ironbridge", "Kestrel", "Kingsmead", "Lakeside", "Larkhill", "Longmarsh", "Maplewood",
    "Millbrook", "Northwick", "Oakfield", "Pinecrest", "Quarry End", "Redcliff", "Ridgeway",
    "Riverton", "Rosedale", "Saltmarsh", "Silverton", "Southbay", "Stonebridge", "Sunnydale",
    "Thornbury", "Tidewater", "Valemont", "Westbrook", "Whitestone", "Willowbank", "Wolfden",
)  # fmt: skip


@lru_cache(maxsize=64)
def city_names(seed: bytes, count: int) -> tuple[str, ...]:
    """A different name for each city, drawn from the match seed."""
    return tuple(NAMES[i] for i in derive(seed, "names").sample(len(NAMES), count))
