"""Template filters for figures of games."""

from __future__ import annotations

from django import template

from games.statistics.models import Best

register = template.Library()


@register.filter
def exact_time(ms: int | float | None) -> str:
    """Seconds and thousandths; from a minute on with minutes."""
    if ms is None:
        return "\N{EN DASH}"
    ms = int(ms)
    if ms < 60_000:
        return f"{ms // 1000}.{ms % 1000:03}"
    return f"{ms // 60_000}:{ms // 1000 % 60:02}.{ms % 1000:03}"


@register.filter
def in_words(best: Best | None) -> str:
    """The value of a best result, in the digits that its measure deserves."""
    if best is None:
        return "\N{EN DASH}"
    return exact_time(best.value) if best.by == "time" else f"{best.value:.2f}"


@register.filter
def mines(luck: float) -> str:
    """A number of mines with its sign."""
    return f"{luck:+.1f}".replace("-", "\N{MINUS SIGN}")
