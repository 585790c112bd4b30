"""Records of moderation: reports, sanctions, and every act of staff.

The tables are still named after the app `games`, in which they were made.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SanctionQuerySet(models.QuerySet["Sanction"]):
    def in_force(self) -> SanctionQuerySet:
        """Neither lifted nor run out."""
        return self.filter(Q(until=None) | Q(until__gt=timezone.now()), lifted_at=None)


class Sanction(models.Model):
    """A player may not do something until an end, or for good."""

    class Kind(models.TextChoices):
        MUTE = "mute", _("mute: can’t challenge, invite or chat")
        BAN = "ban", _("ban: can’t use the site")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="sanctions", verbose_name=_("user")
    )
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    reason = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("imposed by"),
    )
    created_at = models.DateTimeField(_("imposed"), default=timezone.now)
    until = models.DateTimeField(_("until"), null=True, blank=True)
    """None: for good."""
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    shut_out = models.BooleanField(_("account was active before"), default=False)
    """This ban made the account inactive, so its end makes it active again."""

    objects = SanctionQuerySet.as_manager()

    class Meta:
        db_table = "games_sanction"
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["user", "kind", "until"], name="games_sanction_of_user")]

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id}"

    @property
    def in_force(self) -> bool:
        return self.lifted_at is None and (self.until is None or self.until > timezone.now())


class Report(models.Model):
    """A player says that another one misbehaves."""

    class Reason(models.TextChoices):
        CHEATING = "cheating", _("cheating")
        NAME = "name", _("an offensive name")
        CHAT = "chat", _("messages in chat")
        STALLING = "stalling", _("stalling or leaving on purpose")
        OTHER = "other", _("something else")

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="reports_made",
        verbose_name=_("reporter"),
    )
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="reports", verbose_name=_("player")
    )
    match = models.ForeignKey(
        "games.Match", models.SET_NULL, null=True, blank=True, verbose_name=_("match")
    )
    reason = models.CharField(_("reason"), max_length=12, choices=Reason.choices)
    text = models.CharField(_("what happened"), max_length=1000, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    status = models.CharField(
        _("status"), max_length=8, choices=Status.choices, default=Status.OPEN
    )

    class Meta:
        db_table = "games_report"
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-created_at"]
        indexes = [models.Index(fields=["status", "-created_at"], name="games_report_open")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.reason}"


class DeviceSeen(models.Model):
    """An account was used in a browser. The browser's random mark is kept only as a keyed hash:
    it says that two accounts share a device, and nothing about the device."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices", verbose_name=_("user")
    )
    device_hash = models.CharField(_("device"), max_length=64, db_index=True)
    first_seen = models.DateTimeField(_("first seen"), default=timezone.now)
    last_seen = models.DateTimeField(_("last seen"), default=timezone.now)

    class Meta:
        db_table = "games_deviceseen"
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints = [
            models.UniqueConstraint(fields=["user", "device_hash"], name="games_device_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.device_hash[:8]}"


class StaffAct(models.Model):
    """An act of a member of staff, its object and its reason. Written once, never changed."""

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    by_name = models.CharField(_("name at the time"), max_length=40)
    act = models.CharField(_("action"), max_length=20, db_index=True)
    target = models.CharField(_("target"), max_length=60, blank=True, db_index=True)
    """A player's name, a match's id, or empty: the whole site."""
    why = models.CharField(_("why"), max_length=500, blank=True)
    detail = models.JSONField(_("detail"), default=dict, blank=True)
    at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        db_table = "games_staffact"
        verbose_name = _("staff action")
        verbose_name_plural = _("staff actions")
        ordering = ["-at", "-id"]
        default_permissions = ("view",)
        permissions = [
            ("look", _("See the dashboard, matches with the full view, logs, shared devices")),
            ("kick", _("Close a player's connections")),
            ("mute", _("Mute players")),
            ("ban", _("Ban players")),
            ("abort", _("Abort matches")),
            ("announce", _("Announce to everybody")),
            ("queues", _("Close and open the queues")),
        ]

    def __str__(self) -> str:
        return f"{self.by_name}: {self.act} {self.target}"
