"""How this site differs from allauth's defaults."""

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
        name = super().clean_username(username, shallow or own)
        if not shallow:
            try:
                unlike_others(name, guest.pk if guest is not None else None)
            except ValidationError as error:
                raise error.error_dict["username"][0] from None
        return name

    def new_user(self, request: HttpRequest) -> User:
        guest = guest_of(request)
        if guest is None:
            return super().new_user(request)
        return User.objects.get(pk=guest.pk, kind=User.Kind.GUEST)

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        user.kind = User.Kind.REGISTERED
        try:
            with transaction.atomic():
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


class SessionsAdapter(DefaultUserSessionsAdapter):
    def end_sessions(self, sessions: Iterable[UserSession]) -> None:
        access.end_sessions(sessions)


class SignUpForm(SignupForm):
    """Offers a guest the name that they have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        guest = guest_of(context.request)
        if guest is not None:
            self.initial.setdefault("username", guest.username)


def guest_of(request: HttpRequest | None) -> User | None:
    """The guest who stands at the entrance; see accounts.middleware."""
    return getattr(request, "guest", None)
