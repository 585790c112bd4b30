"""Tells `access_ended` when a session is closed, a password changed, or a user shut out.

Code that changes users in bulk (`QuerySet.update`) sends the signal itself.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_delete, pre_save
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import access_ended


def _ended(user_id: int, session_key: str | None = None) -> None:
    transaction.on_commit(
        lambda: access_ended.send(User, user_id=user_id, session_key=session_key, token_id=None)
    )


@receiver(user_logged_out, dispatch_uid="accounts.session_ended")
def session_ended(sender: Any, request: Any, user: User | None, **kwargs: Any) -> None:
    session = getattr(request, "session", None)
    if user is not None and session is not None and session.session_key:
        _ended(user.pk, session.session_key)


@receiver(pre_save, sender=User, dispatch_uid="accounts.shut_out")
def shut_out(sender: Any, instance: User, update_fields: Any = None, **kwargs: Any) -> None:
    """A new password ends every session; so does a ban."""
    if update_fields is not None and not {"password", "is_active"} & set(update_fields):
        return
    before = User.objects.filter(pk=instance.pk).values_list("password", "is_active").first()
    if before is not None and (
        before[0] != instance.password or (before[1] and not instance.is_active)
    ):
        _ended(instance.pk)


@receiver(post_delete, sender=User, dispatch_uid="accounts.deleted")
def deleted(sender: Any, instance: User, **kwargs: Any) -> None:
    if instance.pk is not None:
        _ended(instance.pk)
