"""Sessions begin and end, and `access_ended` is sent when access ends: a session closed, a password
changed, a user banned.

Code that changes users in bulk (`QuerySet.update`) calls `end_all` itself.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.signals import password_changed, password_reset
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db import transaction
from django.db.models.signals import post_delete, pre_save
from django.dispatch import receiver
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.signals import access_ended

logger = logging.getLogger(__name__)


def sessions_of(user: User) -> list[UserSession]:
    """The sessions that hold, the last used first; forgets those that ended by themselves."""
    held = UserSession.objects.purge_and_list(user)
    return sorted(held, key=lambda session: session.last_seen_at, reverse=True)


def end_sessions(sessions: Iterable[UserSession]) -> None:
    """End these sessions at once, and the sockets opened with them."""
    for session in sessions:
        user_id, key = session.user_id, session.session_key
        session.end()
        _ended(user_id, key)


def end_all(user: User) -> None:
    """End every session and every socket of this user, those of tokens too; for a ban."""
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
    logger.info("account %s signed in from %s", user.pk, get_adapter().get_client_ip(request))
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
    if user is not None:
        logger.info("account %s signed out", user.pk)
    if user is not None and session is not None and session.session_key:
        UserSession.objects.filter(session_key=session.session_key).delete()
        _ended(user.pk, session.session_key)


@receiver(user_login_failed, dispatch_uid="accounts.sign_in_failed")
def sign_in_failed(sender: Any, request: Any = None, **kwargs: Any) -> None:
    """Log it without the name, which may be a password typed into the wrong field."""
    if request is not None and request.META.get("REMOTE_ADDR"):
        logger.warning("a sign-in failed, from %s", get_adapter().get_client_ip(request))


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


@receiver(password_changed, dispatch_uid="accounts.tokens_after_change")
@receiver(password_reset, dispatch_uid="accounts.tokens_after_reset")
def offer_to_revoke_tokens(sender: Any, request: Any, user: User, **kwargs: Any) -> None:
    """Tokens outlive a password on purpose: programs go on. A player who changed it because
    somebody else knew it wants to end them, too."""
    if user.tokens.exists():
        text = _("Your API tokens still work. If somebody else might have them, {link}.")
        link = format_html('<a href="{}">{}</a>', reverse("accounts:access"), _("revoke them"))
        messages.warning(request, format_html(text, link=link))
