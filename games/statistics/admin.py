"""Games for one, with those that are held for review first in mind."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from games.admin.reading import ReadOnly
from games.statistics import review
from games.statistics.models import SoloGame

WHY = {
    "too_fast": _("more 3BV a second than any hand"),
    "too_many_clicks": _("more clicks a second than any hand"),
    "too_regular": _("clicks as regular as a clock"),
}


@admin.register(SoloGame)
class SoloGameAdmin(ReadOnly):
    """Moderators decide whether a game counts; nothing else of it changes."""

    list_display = ("ended_at", "user", "board", "no_guess", "state", "reason", "figures", "replay")
    list_filter = ("state", "why", "board", "no_guess", "won", "ended_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "=match__id")
    ordering = ("-ended_at",)
    open_fields = ("state",)

    @admin.display(description=_("why it is held"))
    def reason(self, game: SoloGame) -> Any:
        return WHY.get(game.why, game.why)

    @admin.display(description=_("figures"))
    def figures(self, game: SoloGame) -> str:
        return (
            f"{game.time_ms / 1000:.2f} s, 3BV {game.bbbv_done}/{game.bbbv}, "
            f"{game.speed:.2f} 3BV/s, IOE {game.ioe:.2f}"
        )

    @admin.display(description=_("replay"))
    def replay(self, game: SoloGame) -> SafeString:
        address = reverse("games:match", args=[game.match_id])
        return format_html('<a href="{}">{}</a>', address, game.match_id)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        review.decide(obj, request.user, obj.state)  # type: ignore[arg-type]  # staff is signed in
