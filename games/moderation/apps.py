from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
    verbose_name = "Moderation"

    def ready(self) -> None:
        from games.moderation import devices, receivers  # noqa: F401  (connects them)
