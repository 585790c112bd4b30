"""Chat in the admin: all lines, and those around a reported one on the page of its report."""

from __future__ import annotations

from django.contrib import admin
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from games.admin.reading import ReadOnly
from games.moderation.admin import ReportAdmin
from games.moderation.models import Report
from lobby.chat.models import Line, ReportedLine


@admin.register(Line)
class LineAdmin(ReadOnly):
    list_display = ("at", "room", "author", "said")
    list_select_related = ("author",)
    list_filter = ("at",)
    search_fields = ("=room", "author__username", "text")
    exclude = ("key",)

    @admin.display(description=_("said"))
    def said(self, line: Line) -> str:
        return str(line)


class ReportWithChat(ReportAdmin):
    """Whoever may read a report may read what it is about."""

    readonly_fields = (*ReportAdmin.readonly_fields, "chat_around_it")

    @admin.display(description=_("chat around it"))
    def chat_around_it(self, report: Report) -> SafeString | str:
        rows = ReportedLine.objects.filter(report=report).select_related("line__author")
        lines = [(_said(row.line, row.is_cause),) for row in rows]
        if not lines:
            return "-"
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{}</li>", lines))


def _said(line: Line, is_cause: bool) -> SafeString:
    at = date_format(localtime(line.at), "DATETIME_FORMAT")
    form = "<strong>{} · {}: {}</strong>" if is_cause else "{} · {}: {}"
    return format_html(form, at, line.author.username, str(line))


admin.site.unregister(Report)
admin.site.register(Report, ReportWithChat)
