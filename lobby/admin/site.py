"""The admin site: its first page is the live dashboard, and beside the models it has acts."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _


class StaffSite(AdminSite):
    site_title = "minesite"
    site_header = "minesite"
    index_title = _("Dashboard")
    index_template = "lobby/admin/dashboard.html"

    def get_urls(self) -> list[Any]:
        from lobby.admin.urls import staff_urls

        return [*staff_urls(self), *super().get_urls()]

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        from lobby.admin.dashboard import index_context

        return super().index(request, {**index_context(request), **(extra_context or {})})
