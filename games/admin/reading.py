"""Base of all model pages: rows are read-only unless a page says otherwise."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]  # generic in the stubs alone
    """For rows that the site writes. Lists do not count the whole table beside the result."""

    show_full_result_count = False
    list_per_page = 50
    actions = None
    open_fields: tuple[str, ...] = ()
    """Those that may be changed, by staff with the permission to change this model."""

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        every = [field.name for field in self.opts.fields if field.name not in self.hidden()]
        extra = [name for name in self.readonly_fields if isinstance(name, str)]
        return [name for name in [*every, *extra] if name not in self.open_fields]

    def hidden(self) -> tuple[str, ...]:
        return tuple(self.exclude or ())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(self.open_fields) and super().has_change_permission(request, obj)
