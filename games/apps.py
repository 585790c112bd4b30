from collections.abc import Iterable
from importlib import import_module

from django.apps import AppConfig, apps
from django.core.exceptions import ImproperlyConfigured
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
    check_tcp_port(REGISTRY.values())


def check_tcp_port(modes: Iterable[Mode]) -> None:
    """At most one mode may have the TCP port; raises ImproperlyConfigured, which stops the site."""
    names = [mode.name for mode in modes if mode.text is not None and mode.text.tcp]
    if len(names) > 1:
        raise ImproperlyConfigured(
            f"Only one mode can have the TCP port, but {' and '.join(names)} set tcp=True."
        )
