from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class KeptChallenge(models.Model):
    """A challenge to a player who was away. It waits for them in the database, for a day."""

    id = models.CharField(primary_key=True, max_length=16, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("challenger")
    )
    to = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("challenged")
    )
    mode = models.CharField(_("mode"), max_length=20)
    options = models.JSONField(_("options"), default=dict)
    rated = models.BooleanField(_("rated"))
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    until = models.DateTimeField(_("until"), db_index=True)

    class Meta:
        verbose_name = _("kept challenge")
        verbose_name_plural = _("kept challenges")
        constraints = [
            models.UniqueConstraint(fields=["by", "to"], name="people_kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} challenges {self.to_id}"
