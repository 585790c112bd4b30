from importlib import import_module

from django.apps import AppConfig, apps
from django.utils.module_loading import module_has_submodule
from django.utils.translation import gettext_lazy as _

from games.engine.mode import Mode
from games.engine.registry import REGISTRY


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from games import receivers  # noqa: F401  (connects them)

        register_modes()


def register_modes() -> None:
    """Every installed app with a `MODE` in its `mode.py` is a mode."""
    for app in apps.get_app_configs():
        if not module_has_submodule(app.module, "mode"):
            continue
        if isinstance(getattr(import_module(f"{app.name}.mode"), "MODE", None), Mode):
            REGISTRY.add(app.name)
