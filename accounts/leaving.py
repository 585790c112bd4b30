"""Exports a user's data, and deletes accounts."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import F

from accounts import access, preferences
from accounts.models import RatingChange, User
from accounts.signals import deleting, exporting


def export(user: User) -> dict[str, Any]:
    """Everything that is kept about this user; secrets (password, tokens, keys) are not in it."""
    parts: dict[str, Any] = {
        "account": {
            "name": user.username,
            "kind": user.kind,
            "email": user.email,
            "joined": user.date_joined,
            "last_seen": user.last_seen,
            "last_sign_in": user.last_login,
        },
        "emails": list(EmailAddress.objects.filter(user=user).values("email", "verified")),
        "preferences": preferences.of(user),
        "sessions": [
            {
                "address": session.ip,
                "user_agent": session.user_agent,
                "created": session.created_at,
                "last_seen": session.last_seen_at,
            }
            for session in access.sessions_of(user)
        ],
        "notifications": list(
            user.push_subscriptions.values("endpoint", "user_agent", "language", "created_at")
        ),
        "follows": list(
            user.follows.order_by("pk").values("created_at", name=F("followed__username"))
        ),
        "followers": list(
            user.followers.order_by("pk").values("created_at", name=F("follower__username"))
        ),
        "tokens": list(user.tokens.values("name", "scopes", "created_at", "last_used_at")),
        "second_factors": list(
            Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")
        ),
        "ratings": list(user.ratings.values("mode", "shown", "mu", "sigma", "games")),
        "rating_changes": list(
            RatingChange.objects.filter(user=user)
            .order_by("pk")
            .values("mode", "match_id", "before", "after", "at")
        ),
    }
    for _receiver, part in exporting.send(User, user=user):
        if isinstance(part, dict):
            parts |= part
    return parts


@transaction.atomic
def delete(user: User) -> None:
    """Delete the account and end its access; its matches stay, without a name. Raises NotNow."""
    deleting.send(User, user=user)
    access.end_all(user)
    user.delete()
