from collections.abc import Iterable
from importlib import import_module

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import module_has_submodule
from django.utils.translation import gettext_lazy as _

from games.contract.declaration import missing_files
from games.engine.mode import Mode
from games.engine.registry import REGISTRY


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        from accounts import places
        from games import receivers, tracing  # noqa: F401  (receivers: connects them)
        from games.push import kinds
        from games.push import receivers as push_receivers  # noqa: F401

        places.provide(privacy="games:privacy", profile="games:profile")
        register_modes()
        kinds.register()
        tracing.start(settings.TRACE_PER_MILLE, settings.OTLP_ENDPOINT)


def register_modes() -> None:
    """Every installed app with a `MODE` in its `mode.py` is a mode. Raises ImproperlyConfigured,
    which stops the site, when modes clash or lack a file that they declare."""
    for app in apps.get_app_configs():
        if not module_has_submodule(app.module, "mode"):
            continue
        if isinstance(getattr(import_module(f"{app.name}.mode"), "MODE", None), Mode):
            try:
                mode = REGISTRY.add(app.name)
            except ValueError as error:
                raise ImproperlyConfigured(str(error)) from error
            if missing := list(missing_files(mode, app.name)):
                raise ImproperlyConfigured(f"The mode {mode.name}: {' '.join(missing)}")
    check_tcp_port(REGISTRY.values())


def check_tcp_port(modes: Iterable[Mode]) -> None:
    """At most one mode may have the TCP port; raises ImproperlyConfigured, which stops the site."""
    names = [mode.name for mode in modes if mode.text is not None and mode.text.tcp]
    if len(names) > 1:
        raise ImproperlyConfigured(
            f"Only one mode can have the TCP port, but {' and '.join(names)} set tcp=True."
        )
