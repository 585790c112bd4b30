"""Requests whose sender is known, for the types of views that only let such requests in."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import Token, User


class SignedInRequest(HttpRequest):
    """Behind `login_required` or a check of staff."""

    user: User


class TokenRequest(HttpRequest):
    """Of the API, behind a token."""

    auth: Token
