"""Small bar and line charts as SVG, written by hand: a plot needs no library."""

from __future__ import annotations

from html import escape

WIDTH, ROW, LEFT, RIGHT = 720, 26, 170, 90
COLOURS = ["#3b6ea5", "#c0504d", "#6a994e", "#8064a2", "#bc6c25", "#2a9d8f", "#7f7f7f"]
TEXT = 'font-family="system-ui, sans-serif" font-size="13" fill="#333"'


def _text(x: float, y: float, text: str, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" {TEXT}>'
        f"{escape(text)}</text>"
    )


def bars(title: str, values: dict[str, float], form: str = "{:,.0f}") -> list[str]:
    """A horizontal bar for each value, with the value beside it. The last line is the height."""
    most = max(values.values(), default=0) or 1
    shapes = [_text(10, 18, title, weight="bold")]
    y = 30
    for index, (label, value) in enumerate(values.items()):
        length = (WIDTH - LEFT - RIGHT) * value / most
        colour = COLOURS[index % len(COLOURS)]
        shapes.append(_text(LEFT - 8, y + 16, label, "end"))
        shapes.append(
            f'<rect x="{LEFT}" y="{y + 3}" width="{max(length, 1):.1f}" height="{ROW - 8}" '
            f'fill="{colour}"/>'
        )
        shapes.append(_text(LEFT + length + 6, y + 16, form.format(value)))
        y += ROW
    return [*shapes, str(y + 14)]


def page(charts: list[list[str]]) -> str:
    """The charts, one below the other."""
    parts, y = [], 0
    for *shapes, height in charts:
        parts.append(f'<g transform="translate(0,{y})">{"".join(shapes)}</g>')
        y += int(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" '
        f'height="{y}"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
