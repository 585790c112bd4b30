"""All addresses, collected from the apps."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from minesite import views
from minesite.catalogue import catalogue
from minesite.health import healthz
from minesite.metrics import metrics

handler500 = "minesite.views.server_error"

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("metrics", metrics, name="metrics"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("texts/<slug:language>.<slug:mark>.json", catalogue, name="catalogue"),
    path("service-worker.js", views.service_worker, name="service-worker"),
    path("offline/", views.offline, name="offline"),
    path("favicon.ico", views.favicon),
    path("style/", views.style, name="style"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("minesite.api")),
    # allauth's list of sessions; the settings have a fuller one.
    path("accounts/sessions/", RedirectView.as_view(pattern_name="accounts:access")),
    path("accounts/password/", RedirectView.as_view(pattern_name="account_change_password")),
    path("accounts/", include("allauth.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("accounts.urls")),
    path("tournaments/", include("lobby.tournaments.urls")),
    path("", include("accounts.notifications.urls")),
    path("", include("lobby.people.urls")),
    path("analyse/", include("games.analyser.urls")),
    path("", include("lobby.urls")),
    path("", include("games.urls")),
    path("", include("games.puzzles.urls")),
]
