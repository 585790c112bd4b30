from __future__ import annotations

from typing import Any

from django.urls import path

from lobby.views import daily, front, invitation

app_name = "lobby"
urlpatterns: list[Any] = [
    path("", front.front_page, name="front"),
    path("watch/", front.watch, name="watch"),
    path("lobby/now.json", front.now, name="now"),
    path("invite/<str:token>/", invitation.invitation, name="invitation"),
    path("daily/", daily.page, name="daily"),
    path("daily/start/", daily.start, name="daily-start"),
    path("daily/now.json", daily.now, name="daily-now"),
]
