from __future__ import annotations

from typing import Any

from django.urls import path

from accounts.notifications import views

app_name = "notifications"
urlpatterns: list[Any] = [
    path("notifications/", views.page, name="page"),
    path("notifications/now.json", views.now, name="now"),
    path("notifications/read/", views.read, name="read"),
    path("notifications/clear/", views.clear, name="clear"),
]
