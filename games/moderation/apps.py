from django.apps import AppConfig
from django.utils.translation import gettext_noop

from accounts.notifications.kinds import Kind

REPORT_CLOSED = Kind(
    gettext_noop("A moderator has looked into your report of {name}."),
    gettext_noop("Thank you for helping to keep the site friendly."),
    icon="check",
)


class ModerationConfig(AppConfig):
    name = "games.moderation"
    label = "moderation"
    verbose_name = "Moderation"

    def ready(self) -> None:
        from accounts.notifications import kinds
        from games.moderation import devices, receivers  # noqa: F401  (connects them)

        kinds.register("report_closed", REPORT_CLOSED)
