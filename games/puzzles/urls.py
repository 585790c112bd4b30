from __future__ import annotations

from django.urls import path

from games.puzzles import pages, requests

app_name = "puzzles"
urlpatterns = [
    path("puzzles/", pages.training, name="training"),
    path("puzzles/daily/", pages.daily, name="daily"),
    path("puzzles/storm/", pages.storm_page, name="storm"),
    path("puzzles/next/", requests.next_puzzle, name="next"),
    path("puzzles/storm/start/", requests.storm_start, name="storm-start"),
    path("puzzles/storm/<str:storm_id>/", requests.storm_answer, name="storm-answer"),
    path("puzzles/<int:puzzle_id>/", pages.one, name="one"),
    path("puzzles/<int:puzzle_id>/attempt/", requests.attempt, name="attempt"),
    path("puzzles/<int:puzzle_id>/vote/", requests.vote, name="vote"),
]
