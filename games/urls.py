from __future__ import annotations

from django.urls import path

from games.views import front

app_name = "games"
urlpatterns = [
    path("", front.front_page, name="front"),
]
