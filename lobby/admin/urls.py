"""Addresses of the admin beside those of the models."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.urls import path


def staff_urls(site: AdminSite) -> list[Any]:
    from lobby.admin import dashboard, pages

    return [
        path("live.json", dashboard.live, name="live"),
        path("series/<str:span>.json", dashboard.series, name="series"),
        path("pairs/", pages.rated_pairs, name="rated-pairs"),
        path("act/announce/", pages.announce, name="act-announce"),
        path("act/queues/", pages.queues, name="act-queues"),
        path("player/<int:user_id>/", pages.player, name="player-acts"),
        path("player/<int:user_id>/<slug:act>/", pages.act_on_player, name="act-player"),
        path("match/<str:match_id>/watch/", pages.watch, name="match-watch"),
        path("match/<str:match_id>/full.json", pages.full, name="match-full"),
        path("match/<str:match_id>/log/", pages.log, name="match-log"),
        path("match/<str:match_id>/abort/", pages.abort, name="match-abort"),
    ]
