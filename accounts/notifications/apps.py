from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NotificationsConfig(AppConfig):
    name = "accounts.notifications"
    label = "notifications"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from accounts.notifications import receivers  # noqa: F401  (connects them)
