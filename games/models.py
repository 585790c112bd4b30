"""Matches and who sat in them. A live match's truth is its log in Redis; its row here is the
name under which pages find it, and becomes the archive when the match is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.signals import SEALED_SECONDS

SEALED_FOR = timedelta(seconds=SEALED_SECONDS)


class Match(models.Model):
    class Status(models.TextChoices):
        LIVE = "live", _("live")
        OVER = "over", _("over")
        ABORTED = "aborted", _("aborted")

    class Source(models.TextChoices):
        QUEUE = "queue", _("queue")
        INVITE = "invite", _("invitation")
        CHALLENGE = "challenge", _("challenge")
        REMATCH = "rematch", _("rematch")
        SOLO = "solo", _("solo")
        DAILY = "daily", _("board of the day")
        TEXT = "text", _("text protocol")
        TOURNAMENT = "tournament", _("tournament")
        SEALED = "sealed", _("solo arena")

    id = models.CharField(primary_key=True, max_length=12, editable=False)
    mode = models.CharField(_("mode"), max_length=20)
    rules_version = models.PositiveIntegerField(_("rules version"))
    options = models.JSONField(_("options"), default=dict)
    rated = models.BooleanField(_("rated"))
    source = models.CharField(_("source"), max_length=12, choices=Source.choices)
    status = models.CharField(
        _("status"), max_length=8, choices=Status.choices, default=Status.LIVE
    )
    reason = models.CharField(_("reason for the end"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    duration_ms = models.PositiveBigIntegerField(_("duration in ms"), null=True, blank=True)
    commitment = models.CharField(_("seal"), max_length=64)
    seed = models.CharField(_("seed"), max_length=64, blank=True)
    deal = models.TextField(_("deal"), blank=True)
    log = models.BinaryField(_("log"), null=True, blank=True)
    log_entries = models.PositiveIntegerField(_("entries in the log"), default=0)
    previous = models.ForeignKey(
        "self",
        verbose_name=_("rematch of"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="next",
    )
    aided = models.BooleanField(_("hints used"), default=False)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(fields=["status", "-created_at"], name="games_match_by_status"),
            models.Index(fields=["mode", "-ended_at"], name="games_match_by_mode"),
            models.Index(fields=["-ended_at"], name="games_match_by_end"),
        ]

    def __str__(self) -> str:
        return self.id

    def get_absolute_url(self) -> str:
        return reverse("games:match", args=[self.id])

    @property
    def is_withheld(self) -> bool:
        """Nothing of its board is told yet: others may still play it. It is a board of the day, and
        the day is not over, or one of a solo arena."""
        if self.source == Match.Source.SEALED:
            return timezone.now() < self.created_at + SEALED_FOR
        daily = self.source == Match.Source.DAILY
        return daily and self.created_at.date() >= timezone.now().date()


class Seat(models.Model):
    class Result(models.TextChoices):
        WIN = "win", _("win")
        LOSS = "loss", _("loss")
        DRAW = "draw", _("draw")
        NONE = "none", _("none")

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="seats",
        db_index=False,  # that of the constraint begins with it
    )
    number = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seats",
        db_index=False,  # those of the history begin with it
    )
    name = models.CharField(_("name"), max_length=40)
    kind = models.CharField(_("kind"), max_length=12)
    rank = models.PositiveSmallIntegerField(_("rank"), null=True, blank=True)
    score = models.IntegerField(_("score"), null=True, blank=True)
    result = models.CharField(
        _("result"), max_length=4, choices=Result.choices, default=Result.NONE
    )
    absent = models.BooleanField(_("caused the abort"), default=False)
    # Copies of the match's: the history of a player is one walk along an index, however long.
    mode = models.CharField(_("mode"), max_length=20)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    rating_before = models.FloatField(_("rating before"), null=True, blank=True)
    rating_after = models.FloatField(_("rating after"), null=True, blank=True)
    rating_weight = models.FloatField(_("rating weight"), null=True, blank=True)
    moves = models.PositiveIntegerField(_("moves"), null=True, blank=True)
    # Of a rated player whose account was deleted: what they brought along. Without it the ratings
    # of the others could not be counted again.
    gone_mu = models.FloatField(null=True, blank=True, editable=False)
    gone_sigma = models.FloatField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="games_seat_once"),
        ]
        indexes = [
            models.Index(fields=["user", "-ended_at", "-id"], name="games_seat_history"),
            models.Index(fields=["user", "mode", "-ended_at", "-id"], name="games_seat_by_mode"),
            models.Index(
                fields=["user", "result", "-ended_at", "-id"], name="games_seat_by_result"
            ),
            models.Index(
                fields=["user", "mode", "result", "-ended_at", "-id"], name="games_seat_by_both"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number} {self.name}"


class Computed(models.Model):
    """A result computed from the log of a finished match, once for everybody who asks for it
    (games/analysing/). `part` says what it is; it holds while `version` is the present one."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="computed",
        db_index=False,  # that of the constraint begins with it
    )
    part = models.CharField(_("part"), max_length=12)
    version = models.PositiveIntegerField(_("version"))
    # A games.analysing.body.Body.
    packed = models.BinaryField(_("data"))
    crc = models.PositiveBigIntegerField()
    size = models.PositiveIntegerField(_("bytes"))
    made_at = models.DateTimeField(_("created"), default=timezone.now)
    is_copy = models.BooleanField(_("can be recomputed at any time"))

    class Meta:
        verbose_name = _("computed part")
        verbose_name_plural = _("computed parts")
        constraints = [
            models.UniqueConstraint(fields=["match", "part"], name="games_computed_once"),
        ]
        indexes = [models.Index(fields=["is_copy", "-made_at"], name="games_computed_age")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.part}"


class Meeting(models.Model):
    """A finished match as one player's against one other: written with the result, once for each
    ordered pair of seats. With it "my matches against Anna" is one walk along an index, too."""

    seat = models.ForeignKey(
        Seat, verbose_name=_("seat"), on_delete=models.CASCADE, related_name="meetings"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("opponent"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    name = models.CharField(_("opponent’s name, in lower case"), max_length=40)
    mode = models.CharField(_("mode"), max_length=20)
    result = models.CharField(_("result"), max_length=4, choices=Seat.Result.choices)
    ended_at = models.DateTimeField(_("ended"))

    class Meta:
        verbose_name = _("meeting")
        verbose_name_plural = _("meetings")
        indexes = [
            # The filters that are left are answered from the index alone.
            models.Index(
                fields=["user", "opponent", "-ended_at", "-seat", "mode", "result"],
                name="games_meeting_account",
            ),
            models.Index(
                fields=["user", "name", "-ended_at", "-seat", "mode", "result"],
                name="games_meeting_name",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id} against {self.name}"


class Record(models.Model):
    """The matches that a player has won, lost and drawn: against one other, or (without an
    opponent) in all. Counted along with each result."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,  # those of the constraints begin with it
    )
    opponent = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("opponent"),
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    win = models.PositiveIntegerField(_("won"), default=0)
    loss = models.PositiveIntegerField(_("lost"), default=0)
    draw = models.PositiveIntegerField(_("drawn"), default=0)

    class Meta:
        verbose_name = _("record")
        verbose_name_plural = _("records")
        constraints = [
            models.UniqueConstraint(fields=["user", "opponent"], name="games_record_pair"),
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(opponent__isnull=True),
                name="games_record_all",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.win}/{self.loss}/{self.draw}"


class DailyBoard(models.Model):
    """The board of one day (UTC), stored so that it stays the same whatever makes boards."""

    day = models.DateField(_("day"), primary_key=True)
    deal = models.TextField(_("deal"), unique=True)

    class Meta:
        verbose_name = _("board of the day")
        verbose_name_plural = _("boards of the day")

    def __str__(self) -> str:
        return self.day.isoformat()


class DailyResult(models.Model):
    """A player's counted attempt: the first that was finished."""

    board = models.ForeignKey(
        DailyBoard, verbose_name=_("board"), on_delete=models.CASCADE, related_name="results"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="daily_results",
    )
    match = models.OneToOneField(Match, verbose_name=_("match"), on_delete=models.CASCADE)
    cleared = models.BooleanField(_("cleared"))
    aided = models.BooleanField(_("hints used"))
    time_ms = models.PositiveBigIntegerField(_("time in ms"))

    class Meta:
        verbose_name = _("daily result")
        verbose_name_plural = _("daily results")
        constraints = [
            models.UniqueConstraint(fields=["board", "user"], name="games_daily_once"),
        ]
        indexes = [
            models.Index(fields=["board", "cleared", "aided", "time_ms"], name="games_daily_best"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.user_id}"

    @property
    def is_new(self) -> bool:
        """The account was younger than a day: it may be somebody's second look at the board."""
        return bool(self.match.created_at - self.user.date_joined < timedelta(days=1))


def result_of(ranks: Any, seat: int) -> Seat.Result:
    """The result of a place: the best alone, or with its team, wins; all equal is a draw."""
    if len(set(ranks)) == 1:
        return Seat.Result.DRAW if len(ranks) > 1 else Seat.Result.NONE
    return Seat.Result.WIN if ranks[seat] == min(ranks) else Seat.Result.LOSS
