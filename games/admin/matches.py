"""Matches and seats. Their logs are looked at line by line, never changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts import places
from games.admin.reading import ReadOnly
from games.models import Match, Seat


@admin.register(Match)
class MatchAdmin(ReadOnly):
    list_display = (
        "id",
        "mode",
        "players",
        "status",
        "reason",
        "rated",
        "source",
        "created_at",
        "duration",
        "look",
    )
    list_filter = ("status", "mode", "rated", "source", "aided", "created_at")
    search_fields = ("=id", "seats__name")
    ordering = ("-created_at",)
    # The seed of a running match is nobody's; that of a finished one is on its page.
    exclude = ("log", "seed", "deal")
    readonly_fields = ("players", "look")
    raw_id_fields = ("previous",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).defer("log", "deal").prefetch_related("seats")

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return ", ".join(seat.name for seat in match.seats.all())

    @admin.display(description=_("duration"), ordering="duration_ms")
    def duration(self, match: Match) -> str:
        if match.duration_ms is None:
            return "-"
        minutes, seconds = divmod(match.duration_ms // 1000, 60)
        return f"{minutes}:{seconds:02}"

    @admin.display(description=_("view"))
    def look(self, match: Match) -> SafeString:
        pages = [
            (places.url("match_watch", match.pk), _("full view")),
            (places.url("match_log", match.pk), _("log")),
            (match.get_absolute_url(), _("page")),
        ]
        return format_html_join(" · ", '<a href="{}">{}</a>', pages)


@admin.register(Seat)
class SeatAdmin(ReadOnly):
    list_display = (
        "in_match",
        "number",
        "name",
        "kind",
        "mode",
        "result",
        "rank",
        "score",
        "rating_before",
        "rating_after",
        "ended_at",
    )
    list_filter = ("mode", "result", "kind", "absent")
    search_fields = ("=match__id", "name")
    ordering = ("-id",)

    @admin.display(description=_("match"), ordering="match")
    def in_match(self, seat: Seat) -> SafeString:
        address = reverse("admin:games_match_change", args=[seat.match_id])
        return format_html('<a href="{}">{}</a>', address, seat.match_id)
