from __future__ import annotations

from typing import Any

from django.urls import path

from lobby.people import views

app_name = "people"
urlpatterns: list[Any] = [
    path("people/", views.page, name="page"),
    path("people/find.json", views.find, name="find"),
    path("people/<str:name>/state.json", views.state, name="state"),
]
