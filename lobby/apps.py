from django.apps import AppConfig


class LobbyConfig(AppConfig):
    name = "lobby"

    def ready(self) -> None:
        from accounts import places
        from lobby import receivers  # noqa: F401  (connects them)
        from lobby.admin import groups  # noqa: F401

        places.provide(
            daily="lobby:daily",
            front="lobby:front",
            match_log="admin:match-log",
            match_watch="admin:match-watch",
            player_acts="admin:player-acts",
        )
