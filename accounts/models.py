from __future__ import annotations

from typing import Any, Self

from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import places
from accounts.fields import NameField
from accounts.managers import UserManager
from accounts.validators import LONGEST, skeleton, username_validators


class User(AbstractBaseUser, PermissionsMixin):
    """Someone who can sit in a match. Two names that differ only in case can't both exist."""

    class Kind(models.TextChoices):
        REGISTERED = "registered", _("registered")
        GUEST = "guest", _("guest")
        BOT = "bot", _("bot")
        HOUSE = "house", _("house bot")

    username = NameField(
        _("name"),
        max_length=LONGEST,
        unique=True,
        validators=username_validators,
        help_text=_("3 to 20 letters, digits, _ or -."),
    )
    # NULL, so that it is no other's, only for accounts from before whose name looks like an older
    # one's.
    skeleton = models.CharField(  # noqa: DJ001
        _("look-alike form of the name"), max_length=LONGEST, null=True, editable=False
    )
    email = models.EmailField(_("e-mail"), blank=True)
    kind = models.CharField(
        _("kind"), max_length=12, choices=Kind.choices, default=Kind.REGISTERED, db_index=True
    )
    is_staff = models.BooleanField(_("staff"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("joined"), default=timezone.now)
    last_seen = models.DateTimeField(_("last seen"), null=True, blank=True)
    preferences = models.JSONField(_("preferences"), default=dict, blank=True)

    objects = UserManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = [
            models.UniqueConstraint(
                Lower("username"),
                name="accounts_user_name_any_case",
                violation_error_message=_("This name is taken."),
            ),
            models.UniqueConstraint(fields=["skeleton"], name="accounts_user_lookalike"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["registered", "guest", "bot", "house"]),
                name="accounts_user_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.username

    def get_absolute_url(self) -> str:
        return places.url("profile", self.username)

    @classmethod
    def from_db(cls, *args: Any, **kwargs: Any) -> Self:
        user = super().from_db(*args, **kwargs)
        user._stored_name = user.__dict__.get("username")
        return user

    _stored_name: str | None = None

    def clean(self) -> None:
        super().clean()
        if self.username != self._stored_name:
            unlike_others(self.username, self.pk)

    def save(self, *args: Any, update_fields: Any = None, **kwargs: Any) -> None:
        name = self.__dict__.get("username")
        if name is not None and name != self._stored_name:
            self.skeleton = skeleton(name)
            if self.kind == User.Kind.HOUSE and self._confusable():
                self.skeleton = None  # a player who was there first can't keep the house out
            if update_fields is not None:
                update_fields = {*update_fields, "skeleton"}
        super().save(*args, update_fields=update_fields, **kwargs)
        self._stored_name = name

    def _confusable(self) -> bool:
        return User.objects.filter(skeleton=self.skeleton).exclude(pk=self.pk).exists()

    @property
    def board(self) -> str:
        """The leaderboard on which this player stands; none when the account is closed."""
        return str(self.kind) if self.is_active else ""


def unlike_others(name: str, own_id: int | None = None) -> None:
    """Raises ValidationError when this name could be taken for another player's. The very same
    name, in whatever case, is for others to refuse: they say that it is taken."""
    others = User.objects.filter(skeleton=skeleton(name)).exclude(username__iexact=name)
    if own_id is not None:
        others = others.exclude(pk=own_id)
    if others.exists():
        text = _("This name looks too much like another player’s. Please choose another one.")
        raise ValidationError({"username": ValidationError(text, code="username_lookalike")})


class Token(models.Model):
    """Access for programs. Only a hash is kept: the token itself is shown once, when it is made."""

    user = models.ForeignKey(User, models.CASCADE, related_name="tokens", verbose_name=_("user"))
    name = models.CharField(_("name"), max_length=40)
    digest = models.CharField(_("digest"), max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("created"), default=timezone.now)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.user}: {self.name}"

    def may(self, scope: str) -> bool:
        return scope in self.scopes


class PushSubscription(models.Model):
    """A browser that shows notifications: where its push service takes them, and the keys that only
    this browser can decrypt them with."""

    user = models.ForeignKey(
        User, models.CASCADE, related_name="push_subscriptions", verbose_name=_("user")
    )
    endpoint = models.CharField(_("address"), max_length=1000, unique=True)
    p256dh = models.CharField(max_length=87)
    auth = models.CharField(max_length=22)
    session_key = models.CharField(max_length=40, editable=False)
    """The session that switched it on: when that ends, so do the notifications."""
    language = models.CharField(_("language"), max_length=10)
    user_agent = models.CharField(_("browser"), max_length=200)
    created_at = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        verbose_name = _("device with notifications")
        verbose_name_plural = _("devices with notifications")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user}: {self.endpoint}"


class Follow(models.Model):
    """`follower` wants to know when `followed` is here."""

    follower = models.ForeignKey(
        User, models.CASCADE, related_name="follows", verbose_name=_("follower")
    )
    followed = models.ForeignKey(
        User, models.CASCADE, related_name="followers", verbose_name=_("followed")
    )
    created_at = models.DateTimeField(_("since"), default=timezone.now)

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [
            models.UniqueConstraint(fields=["follower", "followed"], name="accounts_follow_once"),
            models.CheckConstraint(
                condition=~models.Q(follower=models.F("followed")),
                name="accounts_follow_not_oneself",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.follower_id} follows {self.followed_id}"


class Rating(models.Model):
    """A player's strength in one mode: an estimate (mu) and its uncertainty (sigma)."""

    user = models.ForeignKey(User, models.CASCADE, related_name="ratings", verbose_name=_("user"))
    mode = models.CharField(_("mode"), max_length=20)
    mu = models.FloatField()
    sigma = models.FloatField()
    shown = models.FloatField(_("rating"))
    """The figure that people see and are ranked by; follows from mu and sigma."""
    games = models.PositiveIntegerField(_("rated matches"), default=0)
    # A copy of the user's, so that a place is counted along an index.
    board = models.CharField(
        _("board"), max_length=12, blank=True, editable=False, db_default="", default=""
    )
    updated_at = models.DateTimeField(_("updated"), default=timezone.now)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint(fields=["user", "mode"], name="accounts_rating_once")
        ]
        indexes = [
            models.Index(fields=["mode", "board", "-shown", "user"], name="accounts_rating_board")
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.mode} {self.shown:.0f}"


class RatingChange(models.Model):
    """The change of one rating by one match. The order of the rows is the order of the changes."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("user"))
    mode = models.CharField(_("mode"), max_length=20)
    match_id = models.CharField(_("match"), max_length=12, db_index=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    before = models.FloatField(_("before"))
    after = models.FloatField(_("after"))
    at = models.DateTimeField(_("time"), default=timezone.now)

    class Meta:
        verbose_name = _("rating change")
        verbose_name_plural = _("rating changes")
        constraints = [
            models.UniqueConstraint(fields=["user", "match_id"], name="accounts_change_once")
        ]
        indexes = [
            # The plot is read from the index alone.
            models.Index(fields=["user", "mode", "-id", "after"], name="accounts_change_history")
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.mode} {self.before:.0f} -> {self.after:.0f}"
