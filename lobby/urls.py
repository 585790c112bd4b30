from __future__ import annotations

from typing import Any

from django.urls import path

from lobby import views

app_name = "lobby"
urlpatterns: list[Any] = [
    path("lobby/now.json", views.now, name="now"),
    path("invite/<str:token>/", views.invitation, name="invitation"),
]
