from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.managers import UserManager
from accounts.validators import LONGEST, username_validators


class User(AbstractBaseUser, PermissionsMixin):
    """Someone who can sit in a match. Two names that differ only in case can't both exist."""

    class Kind(models.TextChoices):
        REGISTERED = "registered", _("registered")
        GUEST = "guest", _("guest")
        BOT = "bot", _("bot")
        HOUSE = "house", _("house bot")

    username = models.CharField(
        _("name"),
        max_length=LONGEST,
        unique=True,
        validators=username_validators,
        help_text=_("3 to 20 letters, digits, _ or -."),
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
            models.CheckConstraint(
                condition=models.Q(kind__in=["registered", "guest", "bot", "house"]),
                name="accounts_user_kind",
            ),
        ]

    def __str__(self) -> str:
        return self.username


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
