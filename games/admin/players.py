"""Users, their ratings and their tokens."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from accounts import places, tokens
from accounts.models import Rating, RatingChange, Token, User
from games.admin.reading import ReadOnly


@admin.register(User)
class UserAdmin(ReadOnly):
    list_display = ("username", "acts", "kind", "is_active", "is_staff", "date_joined", "last_seen")
    list_filter = ("kind", "is_active", "is_staff", "groups", "date_joined")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    # Private to the player: staff see neither the password nor the settings.
    exclude = ("password", "preferences", "user_permissions")
    readonly_fields = ("acts",)
    open_fields = ("username",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Only superusers decide who is staff, and in which group."""
        fields = super().get_readonly_fields(request, obj)
        if request.user.is_superuser:
            return [name for name in fields if name not in ("is_staff", "is_superuser")]
        return [*fields, "groups"]

    @admin.display(description=_("actions"))
    def acts(self, user: User) -> SafeString:
        address = places.url("player_acts", user.pk)
        return format_html('<a href="{}">{}</a>', address, _("review"))


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("user", "mode", "shown", "mu", "sigma", "games", "updated_at")
    list_filter = ("mode", "user__kind")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-shown",)


@admin.register(RatingChange)
class RatingChangeAdmin(ReadOnly):
    list_display = ("user", "mode", "match_id", "before", "after", "at")
    list_filter = ("mode", "at")
    list_select_related = ("user",)
    search_fields = ("user__username", "=match_id")
    ordering = ("-id",)


@admin.register(Token)
class TokenAdmin(ReadOnly):
    """Tokens can be revoked here, never read: not even their digest is shown."""

    list_display = ("name", "user", "scopes", "created_at", "last_used_at")
    list_filter = ("created_at", "user__kind")
    list_select_related = ("user",)
    search_fields = ("user__username", "name")
    exclude = ("digest",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("accounts.delete_token"))

    def delete_model(self, request: HttpRequest, obj: Token) -> None:
        tokens.revoke(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Token]) -> None:
        for token in queryset:
            tokens.revoke(token)
