from __future__ import annotations

from typing import Any

from django.urls import path

from accounts import settings_views, views

app_name = "accounts"
_SETTINGS = "accounts/settings/"
urlpatterns: list[Any] = [
    path("accounts/guest/", views.guest, name="guest"),
    path(_SETTINGS, settings_views.settings, name="settings"),
    path(f"{_SETTINGS}choices/", settings_views.choices, name="choices"),
    path(f"{_SETTINGS}notifications/", settings_views.notifications, name="notifications"),
    path(f"{_SETTINGS}notifications/on/", settings_views.notify_device, name="notify-device"),
    path(
        f"{_SETTINGS}notifications/off/",
        settings_views.forget_all_devices,
        name="forget-all-devices",
    ),
    path(
        f"{_SETTINGS}notifications/<int:pk>/off/",
        settings_views.forget_device,
        name="forget-device",
    ),
    path(f"{_SETTINGS}access/", settings_views.access_page, name="access"),
    path(f"{_SETTINGS}sessions/<int:pk>/end/", settings_views.end_session, name="end-session"),
    path(
        f"{_SETTINGS}sessions/end-others/",
        settings_views.end_other_sessions,
        name="end-other-sessions",
    ),
    path(f"{_SETTINGS}tokens/", settings_views.make_token, name="make-token"),
    path(
        f"{_SETTINGS}tokens/revoke-all/", settings_views.revoke_all_tokens, name="revoke-all-tokens"
    ),
    path(f"{_SETTINGS}tokens/<int:pk>/revoke/", settings_views.revoke_token, name="revoke-token"),
    path(f"{_SETTINGS}data/", settings_views.data_page, name="data"),
    path(f"{_SETTINGS}data/export/", settings_views.export, name="export"),
    path(f"{_SETTINGS}data/delete/", settings_views.delete, name="delete"),
]
