from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Notification(models.Model):
    """What one player was told, and whether they have seen it. The texts are made when it is
    shown, in the reader's language."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="notifications",
        verbose_name=_("user"),
        db_index=False,  # those below begin with it
    )
    kind = models.CharField(_("kind"), max_length=30)
    tag = models.CharField(_("tag"), max_length=60)
    """What it is about: a newer one about the same replaces it."""
    data = models.JSONField(_("data"), default=dict)
    url = models.CharField(_("address"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    read_at = models.DateTimeField(_("read"), null=True, blank=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "tag"], name="notifications_once")
        ]
        indexes = [
            models.Index(fields=["user", "-created_at", "-id"], name="notifications_newest"),
            models.Index(
                fields=["user"], condition=models.Q(read_at=None), name="notifications_unread"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.kind}"
