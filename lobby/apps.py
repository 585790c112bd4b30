from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"

    def ready(self) -> None:
        from lobby import receivers  # noqa: F401  (connects them)
        from lobby.admin import groups  # noqa: F401
