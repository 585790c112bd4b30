"""Puzzles, who attempted them, and storms."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.ratings import Skill


class PuzzleQuerySet(models.QuerySet["Puzzle"]):
    def active(self) -> PuzzleQuerySet:
        return self.filter(retired=False)

    def tagged(self, bit: int) -> PuzzleQuerySet:
        """With this bit of `tags`; 0: all."""
        if not bit:
            return self
        return self.annotate(theme=models.F("tags").bitand(bit)).filter(theme__gt=0)


class Puzzle(models.Model):
    """A position with a question. `answer` never leaves the server before an attempt."""

    class Question(models.TextChoices):
        SAFE = "safe", _("find a safe cell")
        GUESS = "guess", _("find the best guess")

    class Source(models.TextChoices):
        STOCK = "stock", _("game of bots")
        MATCH = "match", _("match")

    key = models.CharField(_("key"), max_length=32, unique=True, editable=False)
    question = models.CharField(_("question"), max_length=5, choices=Question.choices)
    width = models.PositiveSmallIntegerField(_("columns"))
    height = models.PositiveSmallIntegerField(_("rows"))
    cells = models.CharField(_("cells"), max_length=100)
    mines = models.PositiveSmallIntegerField(_("hidden mines"), null=True, blank=True)
    answer = models.JSONField(_("answer"))
    tags = models.PositiveIntegerField(_("themes"), default=0)
    mu = models.FloatField(_("difficulty"))
    sigma = models.FloatField(_("uncertainty"))
    attempts_rated = models.PositiveIntegerField(_("rated attempts"), default=0)
    solved_rated = models.PositiveIntegerField(_("solved"), default=0)
    ups = models.PositiveIntegerField(_("votes for it"), default=0)
    downs = models.PositiveIntegerField(_("votes against it"), default=0)
    retired = models.BooleanField(_("retired"), default=False)
    source = models.CharField(_("source"), max_length=5, choices=Source.choices)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    objects = PuzzleQuerySet.as_manager()

    class Meta:
        verbose_name = _("puzzle")
        verbose_name_plural = _("puzzles")
        indexes: ClassVar = [models.Index(fields=["retired", "mu"], name="puzzles_by_difficulty")]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def strength(self) -> int:
        return round(Skill(self.mu, self.sigma).strength)


class PuzzleRating(models.Model):
    """A registered player's rating at puzzles, and the puzzle that they have before them."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_rating"
    )
    mu = models.FloatField(default=Skill().mu)
    sigma = models.FloatField(default=Skill().sigma)
    attempts = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)
    best_streak = models.PositiveIntegerField(default=0)
    current = models.ForeignKey(Puzzle, models.SET_NULL, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.user_id}"

    @property
    def skill(self) -> Skill:
        return Skill(self.mu, self.sigma)


class Attempt(models.Model):
    """A player's first answer to a puzzle, and what they think of it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="puzzle_attempts", db_index=False
    )
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="attempts")
    cell = models.PositiveSmallIntegerField()
    correct = models.BooleanField()
    rated = models.BooleanField()
    before = models.FloatField(null=True)
    after = models.FloatField(null=True)
    vote = models.SmallIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="puzzles_attempt_once")
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-at"], name="puzzles_attempts_of")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.puzzle_id}"


class DailyPuzzle(models.Model):
    """The puzzle of the day (UTC)."""

    day = models.DateField(primary_key=True)
    puzzle = models.ForeignKey(Puzzle, models.CASCADE, related_name="days")

    def __str__(self) -> str:
        return self.day.isoformat()


class Storm(models.Model):
    """As many puzzles as possible within three minutes. Without a user it is a guest's, whose
    session knows its id."""

    id = models.CharField(primary_key=True, max_length=22, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="storms"
    )
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    score = models.PositiveIntegerField(default=0)
    wrong = models.PositiveIntegerField(default=0)
    current = models.ForeignKey(Puzzle, models.SET_NULL, null=True, related_name="+")
    asked = models.JSONField(default=list)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-score", "started_at"], name="puzzles_storms_by_score"),
            models.Index(fields=["started_at"], name="puzzles_storms_by_start"),
        ]

    def __str__(self) -> str:
        return self.id


class MintedMatch(models.Model):
    """A finished match that has been looked through for puzzles."""

    match = models.OneToOneField(
        "games.Match", models.CASCADE, primary_key=True, related_name="minted"
    )
    made = models.PositiveSmallIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.match_id
