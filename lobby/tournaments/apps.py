from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "lobby.tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from accounts import places
        from lobby.chat import rooms
        from lobby.tournaments import (
            receivers,  # noqa: F401  (connects them)
            reminders,
            talk,
        )

        rooms.provide("tournament", talk.rule)
        places.provide(tournaments="tournaments:list", tournament_of_match="tournaments:of-match")
        reminders.register()
