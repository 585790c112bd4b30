"""Adapters: the differences from allauth's defaults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import SignupForm
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.usersessions.adapter import DefaultUserSessionsAdapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts import access
from accounts.models import User, unlike_others


class AccountAdapter(DefaultAccountAdapter):
    """A guest who signs up stays the same row: history, settings and session go on."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        guest = guest_of(self.request)
        own = guest is not None and guest.username.lower() == username.lower()
        name: str = super().clean_username(username, shallow or own)
        if not shallow:
            try:
                unlike_others(name, guest.pk if guest is not None else None)
            except ValidationError as error:
                raise error.error_dict["username"][0] from None
        return name

    def new_user(self, request: HttpRequest) -> User:
        guest = guest_of(request)
        if guest is None:
            user: User = super().new_user(request)
            return user
        found = User.objects.filter(pk=guest.pk, kind=User.Kind.GUEST).first()
        if found is None:
            raise ImmediateHttpResponse(redirect("account_login"))  # signed up a moment ago
        return found

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.kind = User.Kind.REGISTERED
        try:
            with transaction.atomic():
                if user.pk is not None:
                    self._refuse_second_sign_up(user)
                user = super().save_user(request, user, form, commit)
        except IntegrityError:
            # It was free when the form was checked.
            messages.error(
                request, _("Somebody took this name a moment ago. Please choose another.")
            )
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        if guest_of(request) is not None:
            # The password is new, the person is not: signing in goes on with this session.
            request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
            request.session.cycle_key()
        return user

    def _refuse_second_sign_up(self, user: User) -> None:
        """Two forms of one guest at once: the first to be stored counts."""
        locked = User.objects.select_for_update().filter(pk=user.pk, kind=User.Kind.GUEST)
        if not locked.exists():
            raise ImmediateHttpResponse(redirect("account_login"))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Failed attempts are counted per account and address, so that an attacker elsewhere can't
        lock the owner out. allauth also counts them per address."""
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{self.get_client_ip(request)}"


class SessionsAdapter(DefaultUserSessionsAdapter):
    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        access.end_sessions(sessions)


class SignUpForm(SignupForm):
    """Offers a guest the name that they have, and says what the e-mail address is for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = _(
            "We only use it to reset a forgotten password. Without it, a forgotten password means "
            "a lost account."
        )
        guest = guest_of(context.request)
        if guest is not None:
            self.initial.setdefault("username", guest.username)


def guest_of(request: HttpRequest | None) -> User | None:
    """The guest who is signing up or in; see accounts.middleware."""
    return getattr(request, "guest", None)
