"""Sessions begin and end, and `access_ended` tells when somebody may not be here any more: a
session closed, a password changed, a user shut out.

Code that changes users in bulk (`QuerySet.update`) calls `end_all` itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, pre_save
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import access_ended


def sessions_of(user: User) -> list[UserSession]:
    """The sessions that hold, the last used first; forgets those that ended by themselves."""
    held = UserSession.objects.purge_and_list(user)
    return sorted(held, key=lambda session: session.last_seen_at, reverse=True)


def end_sessions(sessions: Iterable[UserSession]) -> None:
    """They end at once, and so do the sockets opened with them."""
    for session in sessions:
        user_id, key = session.user_id, session.session_key
        session.end()
        _ended(user_id, key)


def end_all(user: User) -> None:
    """Every session of this user, and every socket, those of tokens too; for a ban."""
    for session in UserSession.objects.filter(user=user):
        session.end()
    _ended(user.pk)


def _ended(user_id: int, session_key: str | None = None) -> None:
    transaction.on_commit(
        lambda: access_ended.send(User, user_id=user_id, session_key=session_key, token_id=None)
    )


@receiver(user_logged_in, dispatch_uid="accounts.session_began")
def session_began(sender: Any, request: Any, user: User, **kwargs: Any) -> None:
    """Guests are signed in without allauth; their sessions are listed all the same."""
    if getattr(request, "session", None) is None or not request.META.get("REMOTE_ADDR"):
        return
    if not request.session.session_key:
        request.session.save()
    longest = UserSession._meta.get_field("user_agent").max_length
    UserSession.objects.update_or_create(
        session_key=request.session.session_key,
        defaults={
            "user": user,
            "ip": get_adapter().get_client_ip(request),
            "user_agent": request.META.get("HTTP_USER_AGENT", "")[:longest],
        },
    )


@receiver(user_logged_out, dispatch_uid="accounts.session_ended")
def session_ended(sender: Any, request: Any, user: User | None, **kwargs: Any) -> None:
    session = getattr(request, "session", None)
    if user is not None and session is not None and session.session_key:
        UserSession.objects.filter(session_key=session.session_key).delete()
        _ended(user.pk, session.session_key)


@receiver(pre_save, sender=User, dispatch_uid="accounts.shut_out")
def shut_out(sender: Any, instance: User, update_fields: Any = None, **kwargs: Any) -> None:
    """A new password ends every session; so does a ban. A guest's first password does not."""
    if update_fields is not None and not {"password", "is_active"} & set(update_fields):
        return
    before = User.objects.filter(pk=instance.pk).first()
    if before is None:
        return
    signs_up = before.kind == User.Kind.GUEST and instance.kind == User.Kind.REGISTERED
    if before.is_active and not instance.is_active:
        end_all(instance)
    elif before.password != instance.password and not signs_up:
        _ended(instance.pk)


@receiver(post_delete, sender=User, dispatch_uid="accounts.deleted")
def deleted(sender: Any, instance: User, **kwargs: Any) -> None:
    if instance.pk is not None:
        _ended(instance.pk)
