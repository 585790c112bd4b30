from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PuzzlesConfig(AppConfig):
    name = "games.puzzles"
    label = "puzzles"
    verbose_name = _("Puzzles")

    def ready(self) -> None:
        from games.puzzles import receivers  # noqa: F401  (connects them)
