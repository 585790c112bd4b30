"""Little boards as pictures, written as text: a line per row between `{% board alt %}` and
`{% endboard %}`."""

from __future__ import annotations

from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

CELL: Final = 20
TILES: Final = {
    "-": ("nothing", ""),
    ".": ("hidden", ""),
    "F": ("hidden", "flag"),
    "?": ("wanted", ""),
    "*": ("open", "mine"),
    "!": ("blast", "mine"),
    "~": ("sea", ""),
    "o": ("sea", "miss"),
    "x": ("hit", "hit"),
    "X": ("sunk", "hit"),
    "S": ("ship", ""),
    "a": ("seat-1", ""),
    "b": ("seat-2", ""),
    "c": ("seat-3", ""),
    "_": ("land", ""),
    "H": ("land", "city"),
}
"""The face of each character; a digit is an open cell, and behind an owner (a2) the owner's
number."""

MARKS: Final = {
    "flag": '<path class="mark flag" d="M{x0} {y1}v-12l8 3.5-8 3.5"/>',
    "mine": '<circle class="mark mine" cx="{x}" cy="{y}" r="4.6"/>',
    "miss": '<circle class="mark miss" cx="{x}" cy="{y}" r="2.6"/>',
    "hit": '<path class="mark hit" d="M{xa} {ya}l8 8m0-8l-8 8"/>',
    "city": '<path class="mark city" d="M{xb} {yb}v-6l5-4 5 4v6z"/>',
}


@register.simple_block_tag
def board(content: str, alt: str = "") -> SafeString:
    """Draw the rows (a line each, cells split by spaces) as an SVG; screen readers read `alt`."""
    cells = [row.split() for row in content.strip().splitlines()]
    parts = [_cell(x, y, code) for y, row in enumerate(cells) for x, code in enumerate(row)]
    width, height = max(map(len, cells)) * CELL, len(cells) * CELL
    return format_html(
        '<svg class="mini picture" viewBox="0 0 {0} {1}" width="{2}" height="{3}" role="img"'
        ' aria-label="{4}">{5}</svg>',
        width,
        height,
        width * 2,
        height * 2,
        alt,
        format_html_join("", "{}", ((part,) for part in parts)),
    )


def _cell(x: int, y: int, code: str) -> SafeString:
    tile, mark = ("open", "") if code[0].isdigit() else TILES[code[0]]
    digit = next((c for c in code if c.isdigit() and c != "0"), "")
    middle_x, middle_y = x * CELL + CELL // 2, y * CELL + CELL // 2
    drawn = format_html(
        '<rect class="{}" x="{}" y="{}" width="18" height="18" rx="4"/>',
        tile,
        x * CELL + 1,
        y * CELL + 1,
    )
    if digit:
        drawn += format_html(
            '<text class="n{}" x="{}" y="{}">{}</text>', digit, middle_x, middle_y + 5, digit
        )
    if mark:
        drawn += mark_safe(
            MARKS[mark].format(
                x=middle_x,
                y=middle_y,
                x0=middle_x - 3,
                y1=middle_y + 6,
                xa=middle_x - 4,
                ya=middle_y - 4,
                xb=middle_x - 5,
                yb=middle_y + 4,
            )
        )
    return drawn
