"""Tournaments in the admin: to look at. Staff create and stop them on their own pages."""

from __future__ import annotations

from django.contrib import admin

from games.admin.reading import ReadOnly
from lobby.tournaments.models import Entrant, Pairing, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ("name", "kind", "mode", "status", "starts_at", "organiser", "is_private")
    list_filter = ("status", "kind", "mode")
    search_fields = ("id", "name", "organiser__username")
    date_hierarchy = "starts_at"


@admin.register(Entrant)
class EntrantAdmin(ReadOnly):
    list_display = ("name", "tournament", "state", "absences", "joined_at")
    list_filter = ("state",)
    search_fields = ("name", "tournament__id", "tournament__name")


@admin.register(Pairing)
class PairingAdmin(ReadOnly):
    list_display = ("tournament", "number", "one", "two", "state", "result", "match")
    list_filter = ("state",)
    list_select_related = ("tournament", "one", "two")
    search_fields = ("match", "tournament__id", "one__name", "two__name")
