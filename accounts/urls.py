from __future__ import annotations

from typing import Any

from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns: list[Any] = [
    path("accounts/guest/", views.guest, name="guest"),
]
