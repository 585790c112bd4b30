from __future__ import annotations

from django.urls import path

from lobby.tournaments import views

app_name = "tournaments"
urlpatterns = [
    path("", views.index, name="list"),
    path("new/", views.new, name="new"),
    path("of/<str:match_id>/", views.of_match, name="of-match"),
    path("<str:tournament_id>/", views.show, name="show"),
]
