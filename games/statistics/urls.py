from __future__ import annotations

from django.urls import path

from games.statistics import views

urlpatterns = [
    path("stats/", views.own, name="stats"),
    path("stats/leaderboard/", views.leaderboard, name="records"),
    path("@<str:name>/stats/", views.of_player, name="stats-of"),
]
