"""Reports, sanctions, devices and the record of acts."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts import places
from accounts.notifications.notify import notify
from games.admin.reading import ReadOnly
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct


@admin.register(Report)
class ReportAdmin(ReadOnly):
    """Moderators close reports; nothing else of them changes."""

    list_display = ("created_at", "player", "reason", "match_id", "reporter", "status", "acts")
    list_filter = ("status", "reason", "created_at")
    list_select_related = ("player", "reporter")
    search_fields = ("player__username", "reporter__username", "=match__id", "text")
    open_fields = ("status",)

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:
        """The reporter learns that it was looked into, and nothing of what came of it."""
        super().save_model(request, obj, form, change)
        is_closed = obj.status == Report.Status.CLOSED and "status" in form.changed_data
        if is_closed and obj.reporter_id is not None:
            data = {"name": obj.player.username}
            notify(obj.reporter_id, "report_closed", data, tag=str(obj.pk))

    @admin.display(description=_("actions"))
    def acts(self, report: Report) -> SafeString:
        address = places.url("player_acts", report.player_id)
        return format_html('<a href="{}">{}</a>', address, _("review"))


class InForce(admin.SimpleListFilter):
    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("1", _("in force")), ("0", _("over"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "1":
            return queryset.in_force()
        if self.value() == "0":
            return queryset.exclude(lifted_at=None) | queryset.filter(until__lte=timezone.now())
        return queryset


@admin.register(Sanction)
class SanctionAdmin(ReadOnly):
    """Given and lifted on the page of a player, where it is recorded."""

    list_display = ("created_at", "user", "kind", "reason", "by", "until", "lifted_at", "now")
    list_filter = (InForce, "kind", "created_at")
    list_select_related = ("user", "by")
    search_fields = ("user__username", "reason", "by__username")

    @admin.display(description=_("in force"), boolean=True)
    def now(self, sanction: Sanction) -> bool:
        return sanction.in_force


@admin.register(DeviceSeen)
class DeviceSeenAdmin(ReadOnly):
    list_display = ("device", "user", "first_seen", "last_seen")
    list_select_related = ("user",)
    search_fields = ("user__username", "device_hash")
    ordering = ("device_hash", "-last_seen")

    @admin.display(description=_("device"), ordering="device_hash")
    def device(self, seen: DeviceSeen) -> str:
        return seen.device_hash[:12]


@admin.register(StaffAct)
class StaffActAdmin(ReadOnly):
    list_display = ("at", "by_name", "act", "target", "why")
    list_filter = ("act", "at")
    search_fields = ("by_name", "target", "why")
    list_select_related = ("by",)
