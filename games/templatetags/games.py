"""Template tags and filters for matches and players."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.models import Rating
from accounts.ratings import is_provisional
from games.mode_cards import reasons_of, title_of
from games.models import Match

register = template.Library()

KINDS: Final = {"guest": _("guest"), "bot": _("bot"), "house": _("house bot")}
REASONS: Final = {
    "surrender": _("gave up"),
    "time": _("time ran out"),
}


@register.filter
def mode_title(mode: str) -> Any:
    return title_of(mode)


@register.filter
def reason_text(match: Match) -> Any:
    """The reason why this match ended, in a few words."""
    reason = match.reason
    words = reasons_of(match.mode).get(reason) or REASONS.get(reason)
    return words or reason.replace("_", " ")


@register.filter
def signed(value: float) -> str:
    """With its sign, and a real minus."""
    return f"{value:+.0f}".replace("-", "\N{MINUS SIGN}")


@register.filter
def length_text(ms: int | None) -> str:
    """Minutes and seconds."""
    if ms is None:
        return "\N{EN DASH}"
    seconds = round(ms / 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


@register.filter
def seconds(ms: int) -> str:
    """Minutes, seconds and tenths."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02d}.{ms // 100 % 10}"


@register.filter
def provisional(rating: Rating) -> bool:
    return is_provisional(rating)


@register.simple_tag
def kind_badge(kind: str) -> str:
    """Says so when it is not a person with an account."""
    return format_html('<span class="badge">{}</span>', KINDS[kind]) if kind in KINDS else ""


@register.simple_tag
def player_link(seat: Any) -> str:
    """The name as it was in the match; a link while the account is there."""
    badge = kind_badge(seat.kind)
    badge = format_html(" {}", badge) if badge else ""
    if seat.user is None or not seat.user.is_active:
        return format_html("{}{}", seat.name, badge)
    url = seat.user.get_absolute_url()
    return format_html('<a href="{}">{}</a>{}', url, seat.name, badge)
