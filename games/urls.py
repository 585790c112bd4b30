from __future__ import annotations

from django.urls import include, path

from games.views import (
    hint,
    history,
    leaderboard,
    learn,
    match,
    play,
    privacy,
    replay,
    report,
)

app_name = "games"
urlpatterns = [
    path("match/<str:match_id>/", match.match_page, name="match"),
    path("match/<str:match_id>/hint/", hint.hint, name="hint"),
    path("match/<str:match_id>/result.json", match.match_result, name="match-result"),
    path("match/<str:match_id>/replay.json", replay.replay_json, name="replay-data"),
    path("match/<str:match_id>/analysis.json", replay.analysis_json, name="analysis"),
    path("match/<str:match_id>/log.ndjson", replay.replay_log, name="replay-log"),
    path("privacy/", privacy.privacy, name="privacy"),
    path("play/<slug:mode>/", play.play, name="play"),
    path("learn/", learn.index, name="learn"),
    path("learn/<slug:mode>/", learn.rules, name="rules"),
    path("report/", report.report, name="report"),
    path("history/", history.own, name="history"),
    path("leaderboard/", leaderboard.first, name="leaderboards"),
    path("leaderboard/<slug:mode>/", leaderboard.leaderboard, name="leaderboard"),
    path("", include("games.statistics.urls")),
    path("@<str:name>/", history.profile, name="profile"),
]
