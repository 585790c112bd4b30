"""Admin pages of the models. The dashboard and what staff can do are in `lobby.admin`."""

from games.admin import matches, players  # noqa: F401  (registers the models)
