"""The palette can be read: text and ground have a contrast of at least 4.5 (WCAG AA)."""

from __future__ import annotations

import re

import pytest

from tests.running_site import ROOT

TOKENS = (ROOT / "minesite" / "static" / "site" / "tokens.css").read_text()
COLOURS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(
        r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS
    )
}
GROUNDS = ("paper", "surface", "raised", "sunken")
PAIRS = [
    *((text, ground) for text in ("ink", "ink-soft") for ground in GROUNDS),
    *((text, ground) for text in ("pine", "flag") for ground in ("paper", "surface", "raised")),
    *(("ink", soft) for soft in ("pine-soft", "flag-soft", "amber-soft", "sky-soft")),
    ("ink-faint", "raised"),
    ("on-pine", "pine"),
    ("on-pine", "pine-strong"),
    ("on-flag", "flag"),
    ("pine-strong", "pine-soft"),
    ("flag-strong", "flag-soft"),
    ("flag-strong", "surface"),
    ("amber", "amber-soft"),
    ("sky", "sky-soft"),
    ("mine", "tile-open"),
    *((f"n{number}", "tile-open") for number in range(1, 9)),
    *(("paper", f"seat-{number}") for number in range(1, 7)),
]


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_is_21():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme):
    weak = {
        f"{text} on {ground}": round(ratio, 2)
        for text, ground in PAIRS
        if (ratio := contrast(COLOURS[text][theme], COLOURS[ground][theme])) < 4.5
    }
    assert weak == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_edges_of_fields_and_the_focus_can_be_seen(theme):
    for edge in ("line-strong", "pine"):
        for ground in ("paper", "surface", "raised"):
            assert contrast(COLOURS[edge][theme], COLOURS[ground][theme]) >= 3
