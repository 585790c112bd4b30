from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import receivers  # noqa: F401  (connects them)
        from games.moderation import devices, groups  # noqa: F401
