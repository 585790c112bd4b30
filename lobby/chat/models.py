"""What was said, who mutes whom, and which lines belong to a report."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moderation.models import Report
from lobby.chat.phrases import PHRASES

LONGEST: Final = 200
"""Characters of a line."""
LONGEST_KEY: Final = 16
LONGEST_ROOM: Final = 40


class Line(models.Model):
    """A line of a room: a quick phrase by its code, or a text."""

    room = models.CharField(_("room"), max_length=LONGEST_ROOM)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="chat_lines",
        db_index=False,  # that of the constraint begins with it
        verbose_name=_("author"),
    )
    key = models.CharField(_("key"), max_length=LONGEST_KEY)
    """The client's own, so that a line that is sent again is not said twice."""
    phrase = models.CharField(_("phrase"), max_length=16, blank=True)
    text = models.CharField(_("text"), max_length=LONGEST, blank=True)
    at = models.DateTimeField(_("time"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("chat line")
        verbose_name_plural = _("chat lines")
        ordering = ["-pk"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["author", "room", "key"], name="chat_line_once"),
            models.CheckConstraint(
                condition=(Q(phrase="") & ~Q(text="")) | (~Q(phrase="") & Q(text="")),
                name="chat_line_phrase_or_text",
            ),
        ]
        indexes = [models.Index(fields=["room", "-id"], name="chat_line_of_room")]

    def __str__(self) -> str:
        return str(PHRASES.get(self.phrase, self.text))


class Mute(models.Model):
    """`reader` does not want to read what `muted` says."""

    reader = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="chat_mutes", db_index=False
    )
    muted = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("muted player")
        verbose_name_plural = _("muted players")
        constraints = [
            models.UniqueConstraint(fields=["reader", "muted"], name="chat_mute_once"),
            models.CheckConstraint(
                condition=~Q(reader=models.F("muted")), name="chat_mute_not_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reader_id} mutes {self.muted_id}"


class ReportedLine(models.Model):
    """A line of a report: the one that it is about, and those around it."""

    report = models.ForeignKey(
        Report,
        models.CASCADE,
        related_name="chat_lines",
        db_index=False,  # that of the constraint begins with it
        verbose_name=_("report"),
    )
    line = models.ForeignKey(
        Line, models.CASCADE, related_name="reported", verbose_name=_("chat line")
    )
    is_cause = models.BooleanField(_("reported"), default=False)

    class Meta:
        verbose_name = _("reported chat line")
        verbose_name_plural = _("reported chat lines")
        ordering = ["line_id"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["report", "line"], name="chat_reported_once")
        ]

    def __str__(self) -> str:
        return str(self.line_id)
