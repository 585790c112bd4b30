from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChatConfig(AppConfig):
    name = "lobby.chat"
    label = "chat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        from lobby.chat import matches, receivers, rooms  # noqa: F401  (receivers connects itself)

        rooms.provide("match", matches.players_room)
        rooms.provide("watch", matches.spectators_room)
