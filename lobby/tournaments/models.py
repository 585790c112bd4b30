"""Tournaments, who is in them, and their pairings. Standings are computed from these rows."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.live.setup import new_id
from lobby.tournaments.games import Result

NAME_LENGTH: Final = 40


class Tournament(models.Model):
    class Kind(models.TextChoices):
        ARENA = "arena", _("Arena")
        SWISS = "swiss", _("Swiss")
        SOLO = "solo", _("Solo arena")

    class Status(models.TextChoices):
        PLANNED = "planned", _("planned")
        RUNNING = "running", _("running")
        OVER = "over", _("over")
        CANCELLED = "cancelled", _("cancelled")

    class Metric(models.TextChoices):
        TIME = "time", _("best time")
        SPEED = "speed", _("best 3BV/s")

    # Private ones are found by their id alone, so it can't be guessed.
    id = models.CharField(primary_key=True, max_length=12, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    mode = models.CharField(_("mode"), max_length=20)
    options = models.JSONField(_("options"), default=dict, blank=True)
    rated = models.BooleanField(_("rated"), default=False)
    metric = models.CharField(
        _("counts"), max_length=8, choices=Metric.choices, default=Metric.TIME
    )
    boards = models.PositiveSmallIntegerField(_("boards"), default=0)
    starts_at = models.DateTimeField(_("starts"))
    minutes = models.PositiveSmallIntegerField(_("minutes"), default=0)
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0)
    round_minutes = models.PositiveSmallIntegerField(_("minutes per round"), default=0)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.PLANNED
    )
    reason = models.CharField(_("why it was cancelled"), max_length=12, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    # Round of a Swiss tournament, wave of an arena. Whoever raises it makes its pairings.
    number = models.PositiveIntegerField(_("round or wave"), default=0)
    round_at = models.DateTimeField(_("round began"), null=True, blank=True)
    # Counts changes of its rows: pages are told when it has grown.
    version = models.PositiveIntegerField(default=0, editable=False)
    is_private = models.BooleanField(_("private"), default=False)
    min_rating = models.PositiveSmallIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveSmallIntegerField(_("highest rating"), null=True, blank=True)
    min_days = models.PositiveSmallIntegerField(_("age of the account in days"), default=0)
    bots = models.BooleanField(_("bots allowed"), default=False)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("organiser"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    # Of those that the schedule creates: each is created once.
    series = models.CharField(_("series"), max_length=60, null=True, blank=True, unique=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        indexes = [
            models.Index(fields=["status", "starts_at"], name="tournaments_by_status"),
            models.Index(fields=["-ended_at"], name="tournaments_by_end"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:show", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """It runs, or will."""
        return self.status in (self.Status.PLANNED, self.Status.RUNNING)

    @property
    def ends_at(self) -> datetime | None:
        """The end of the window; None for a Swiss tournament, which ends with its last round."""
        if not self.minutes:
            return None
        return (self.started_at or self.starts_at) + timedelta(minutes=self.minutes)


class Entrant(models.Model):
    class State(models.TextChoices):
        ACTIVE = "active", _("playing")
        PAUSED = "paused", _("paused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.CASCADE,
        related_name="entrants",
        db_index=False,  # that of the constraint begins with it
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    name = models.CharField(_("name"), max_length=40)
    kind = models.CharField(_("kind"), max_length=12)
    rating = models.FloatField(_("rating when they joined"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ACTIVE)
    absences = models.PositiveSmallIntegerField(_("no-shows in a row"), default=0)
    # The match that this player is in or about to be in: at most one, whoever pairs.
    match = models.CharField(_("match"), max_length=12, blank=True)
    free_at = models.DateTimeField(_("free since"), default=timezone.now)
    joined_at = models.DateTimeField(_("joined"), default=timezone.now)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "user"], name="tournaments_entrant_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Pairing(models.Model):
    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        OPEN = "open", _("running")
        OVER = "over", _("over")
        VOID = "void", _("void")

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.CASCADE,
        related_name="pairings",
        db_index=False,
    )
    number = models.PositiveIntegerField(_("round or wave"))
    # Not a foreign key: the pairing is stored before the match.
    match = models.CharField(_("match"), max_length=12, null=True, blank=True, unique=True)
    one = models.ForeignKey(
        Entrant, verbose_name=_("first player"), on_delete=models.CASCADE, related_name="+"
    )
    two = models.ForeignKey(
        Entrant,
        verbose_name=_("second player"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.PLANNED)
    result = models.CharField(
        _("result"),
        max_length=12,
        blank=True,
        default=Result.NONE,
        choices=[(each.value, each.value) for each in Result if each],
    )
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number", "one"], name="tournaments_one_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "number", "two"], name="tournaments_two_once"
            ),
        ]
        indexes = [models.Index(fields=["state"], name="tournaments_pairing_state")]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number} {self.one_id}–{self.two_id or ''}"


class SoloBoard(models.Model):
    """A board of a solo arena: the same for everybody, secret while the window is open."""

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.CASCADE,
        related_name="solo_boards",
        db_index=False,
    )
    number = models.PositiveSmallIntegerField(_("number"))
    deal = models.TextField(_("deal"))
    salt = models.CharField(_("salt"), max_length=64)
    seal = models.CharField(_("seal"), max_length=64)

    class Meta:
        verbose_name = _("board of a solo arena")
        verbose_name_plural = _("boards of solo arenas")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="tournaments_board_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}/{self.number}"


class Attempt(models.Model):
    """A player's only attempt at one board of a solo arena."""

    board = models.ForeignKey(
        SoloBoard,
        verbose_name=_("board"),
        on_delete=models.CASCADE,
        related_name="attempts",
        db_index=False,
    )
    entrant = models.ForeignKey(
        Entrant, verbose_name=_("entrant"), on_delete=models.CASCADE, related_name="attempts"
    )
    match = models.CharField(_("match"), max_length=12, unique=True)
    is_over = models.BooleanField(_("over"), default=False)
    cleared = models.BooleanField(_("cleared"), default=False)
    aided = models.BooleanField(_("hints used"), default=False)
    time_ms = models.PositiveBigIntegerField(_("time in ms"), null=True, blank=True)
    # Thousandths of 3BV per second.
    speed = models.PositiveBigIntegerField(_("3BV/s in thousandths"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [
            models.UniqueConstraint(fields=["board", "entrant"], name="tournaments_attempt_once"),
        ]

    def __str__(self) -> str:
        return f"{self.board_id} {self.entrant_id}"
