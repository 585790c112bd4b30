from django.apps import AppConfig


class StatisticsConfig(AppConfig):
    name = "games.statistics"
    label = "statistics"
    verbose_name = "Statistics"

    def ready(self) -> None:
        from games.statistics import receivers  # noqa: F401  (connects them)
