"""The admin: models by subject, the live dashboard, and what staff can do."""

from games.admin import matches, moderation, players  # noqa: F401  (registers the models)
