"""What is kept of finished games for statistics. Everything here can be made again from the archive
(`manage.py rebuild_statistics`), except what staff decided about held results."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.ratings import MODEL, Skill
from games.models import Match

ALWAYS: Final = date(2000, 1, 1)
"""The start of the period that is all time."""


class OnBoard(models.Model):
    """About one player on one kind of board."""

    mode = models.CharField(_("mode"), max_length=20)
    # The name of a preset; empty for boards of any other size.
    board = models.CharField(_("board"), max_length=20, blank=True)
    no_guess = models.BooleanField(_("no guessing"))

    class Meta:
        abstract = True


class SoloGame(OnBoard):
    """The figures of a finished game for one player (games/engine/figures.py)."""

    class State(models.TextChoices):
        COUNTED = "counted", _("counted")
        HELD = "held", _("held for review")
        REFUSED = "refused", _("doesn’t count")

    match = models.OneToOneField(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="solo_game",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="solo_games",
        db_index=False,  # that of the last games begins with it
    )
    ended_at = models.DateTimeField(_("ended"))
    won = models.BooleanField(_("won"))
    aided = models.BooleanField(_("hints used"))
    ranked = models.BooleanField(_("can be a record"))
    state = models.CharField(_("state"), max_length=8, choices=State.choices)
    why = models.CharField(_("why it is held"), max_length=20, blank=True)
    time_ms = models.PositiveBigIntegerField(_("time in ms"))
    bbbv = models.PositiveIntegerField("3BV")
    bbbv_done = models.PositiveIntegerField(_("3BV done"))
    reveals = models.PositiveIntegerField(_("reveals"))
    flags = models.PositiveIntegerField(_("flags"))
    chords = models.PositiveIntegerField(_("chords"))
    is_best = models.BooleanField(_("personal best"), default=False)
    best_before_ms = models.PositiveBigIntegerField(_("best time before"), null=True, blank=True)

    class Meta:
        verbose_name = _("solo game")
        verbose_name_plural = _("solo games")
        indexes = [
            models.Index(
                fields=["user", "mode", "board", "no_guess", "-ended_at"],
                name="statistics_game_last",
            ),
            models.Index(fields=["state", "-ended_at"], name="statistics_game_held"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.board} {self.time_ms} ms"

    @property
    def counts(self) -> bool:
        """It is part of the player's figures."""
        return self.state == self.State.COUNTED and not self.aided

    @property
    def clicks(self) -> int:
        return self.reveals + self.flags + self.chords

    @property
    def speed(self) -> float:
        """3BV per second."""
        return self.bbbv_done * 1000 / self.time_ms if self.time_ms else 0.0

    @property
    def ioe(self) -> float:
        return self.bbbv_done / self.clicks if self.clicks else 0.0

    @property
    def rqp(self) -> float:
        return (self.time_ms / 1000) ** 2 / self.bbbv_done if self.bbbv_done else 0.0


class Tally(OnBoard):
    """The sums of a player's games that count on one kind of board."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="tallies",
        db_index=False,  # that of the constraint begins with it
    )
    played = models.PositiveIntegerField(_("played"), default=0)
    won = models.PositiveIntegerField(_("won"), default=0)
    streak = models.PositiveIntegerField(_("wins in a row"), default=0)
    best_streak = models.PositiveIntegerField(_("most wins in a row"), default=0)
    won_ms = models.PositiveBigIntegerField(_("time of the wins in ms"), default=0)
    all_ms = models.PositiveBigIntegerField(_("time in ms"), default=0)
    bbbv_done = models.PositiveBigIntegerField(_("3BV done"), default=0)
    reveals = models.PositiveBigIntegerField(_("reveals"), default=0)
    flags = models.PositiveBigIntegerField(_("flags"), default=0)
    chords = models.PositiveBigIntegerField(_("chords"), default=0)

    class Meta:
        verbose_name = _("tally")
        verbose_name_plural = _("tallies")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "mode", "board", "no_guess"], name="statistics_tally_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.board} {self.won}/{self.played}"


class Best(OnBoard):
    """A player's best won game of a period, by one measure (bests.py)."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="bests",
        db_index=False,  # that of the constraint begins with it
    )
    # A copy of the user's: a leaderboard is one walk along an index.
    who = models.CharField(_("leaderboard"), max_length=12, blank=True)
    by = models.CharField(_("by"), max_length=8)
    period = models.CharField(_("period"), max_length=8)
    start = models.DateField(_("first day"), default=ALWAYS)
    value = models.FloatField(_("value"))
    game = models.ForeignKey(
        SoloGame, verbose_name=_("game"), on_delete=models.CASCADE, related_name="bests"
    )

    class Meta:
        verbose_name = _("best result")
        verbose_name_plural = _("best results")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "mode", "board", "no_guess", "by", "period", "start"],
                name="statistics_best_once",
            ),
        ]
        indexes = [
            models.Index(
                fields=["mode", "board", "no_guess", "by", "period", "start", "who", "value"],
                name="statistics_best_board",
            ),
            models.Index(fields=["period", "start"], name="statistics_best_age"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.board} {self.by} {self.value:g}"


class SeatAccuracy(models.Model):
    """What the moves of a seat gave up, from the analysis of its match."""

    match = models.ForeignKey(
        Match,
        verbose_name=_("match"),
        on_delete=models.CASCADE,
        related_name="accuracies",
        db_index=False,  # that of the constraint begins with it
    )
    number = models.PositiveSmallIntegerField(_("seat"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="accuracies",
    )
    moves = models.PositiveIntegerField(_("moves"))
    analysed = models.PositiveIntegerField(_("analysed moves"))
    given_up = models.FloatField(_("survival given up"))
    luck = models.FloatField(_("luck"))

    class Meta:
        verbose_name = _("accuracy of a seat")
        verbose_name_plural = _("accuracies of seats")
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="statistics_accuracy_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"

    @property
    def percent(self) -> float | None:
        return 100 * (1 - self.given_up / self.analysed) if self.analysed else None


class ModeAccuracy(models.Model):
    """The sums of a player's accuracies in a mode, and the luck-free rating."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("user"),
        on_delete=models.CASCADE,
        related_name="mode_accuracies",
        db_index=False,  # that of the constraint begins with it
    )
    mode = models.CharField(_("mode"), max_length=20)
    matches = models.PositiveIntegerField(_("matches"), default=0)
    analysed = models.PositiveBigIntegerField(_("analysed moves"), default=0)
    given_up = models.FloatField(_("survival given up"), default=0.0)
    luck = models.FloatField(_("luck"), default=0.0)
    mu = models.FloatField(default=MODEL.mu)
    sigma = models.FloatField(default=MODEL.sigma)
    rated = models.PositiveIntegerField(_("rated matches"), default=0)

    class Meta:
        verbose_name = _("accuracy of a player")
        verbose_name_plural = _("accuracies of players")
        constraints = [
            models.UniqueConstraint(fields=["user", "mode"], name="statistics_mode_accuracy_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.mode}"

    @property
    def percent(self) -> float | None:
        return 100 * (1 - self.given_up / self.analysed) if self.analysed else None

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)

    @property
    def rating(self) -> float | None:
        """The luck-free rating, on the scale of the ordinary one; None before a rated match."""
        return self.skill.shown if self.rated else None


class Awaiting(models.Model):
    """A finished match whose analysis is still to be done (worker.py)."""

    match = models.OneToOneField(
        Match, verbose_name=_("match"), on_delete=models.CASCADE, primary_key=True
    )
    since = models.DateTimeField(_("since"), default=timezone.now)
    next_at = models.DateTimeField(_("next attempt"), default=timezone.now, db_index=True)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)

    class Meta:
        verbose_name = _("awaited analysis")
        verbose_name_plural = _("awaited analyses")

    def __str__(self) -> str:
        return self.match_id
