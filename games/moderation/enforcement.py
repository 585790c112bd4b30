"""Enforces sanctions.

A ban makes the account inactive: sign-in, sessions, tokens, queues and sockets all ask for an
active account, and `accounts.access` closes what is open. Its end makes the account active again.
A mute is asked for by `refuse_muted` before a challenge or an invitation.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime

from channels.db import database_sync_to_async
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.moderation.models import Sanction

EVERY = 5.0
"""Seconds between two looks for bans that ran out."""

logger = logging.getLogger(__name__)


def impose(user: User, kind: str, reason: str, by: User | None, until: datetime | None) -> Sanction:
    """Give a sanction; it takes effect when the transaction is committed."""
    with transaction.atomic():
        locked = User.objects.select_for_update().get(pk=user.pk)
        ban = kind == Sanction.Kind.BAN
        if ban and locked.is_active:
            locked.is_active = False
            locked.save(update_fields=["is_active"])
            shut_out = True
        else:
            shut_out = ban and _banned(locked.pk)
        return Sanction.objects.create(
            user=locked, kind=kind, reason=reason, by=by, until=until, shut_out=shut_out
        )


def lift(user_id: int, kind: str) -> int:
    """End all sanctions of this kind; returns how many were in force."""
    with transaction.atomic():
        held = Sanction.objects.in_force().filter(user_id=user_id, kind=kind)
        lifted = held.update(lifted_at=timezone.now())
        if kind == Sanction.Kind.BAN:
            _let_in(user_id)
    return lifted


def let_in_whose_bans_ended() -> int:
    """Make accounts active again whose bans have run out; returns how many."""
    waiting = Sanction.objects.filter(
        kind=Sanction.Kind.BAN, shut_out=True, user__is_active=False, until__lte=timezone.now()
    )
    return sum(_let_in(pk) for pk in set(waiting.values_list("user_id", flat=True)))


def _banned(user_id: int) -> bool:
    """Is the account inactive because of a ban?"""
    return (
        Sanction.objects.in_force()
        .filter(user_id=user_id, kind=Sanction.Kind.BAN, shut_out=True)
        .exists()
    )


def _let_in(user_id: int) -> bool:
    """Unless another ban holds, or something else than a ban had shut the account."""
    with transaction.atomic():
        user = User.objects.select_for_update().filter(pk=user_id, is_active=False).first()
        bans = Sanction.objects.filter(user_id=user_id, kind=Sanction.Kind.BAN)
        if user is None or bans.in_force().exists() or not bans.filter(shut_out=True).exists():
            return False
        user.is_active = True
        user.save(update_fields=["is_active"])
        # Settled: a later deactivation for another reason is not undone by this ban.
        bans.update(shut_out=False)
    return True


async def is_muted(user_id: int | None) -> bool:
    if user_id is None:
        return False
    muted = Sanction.objects.in_force().filter(user_id=user_id, kind=Sanction.Kind.MUTE)
    return await muted.aexists()


async def run(stop: asyncio.Event) -> None:
    """The worker's job: lift bans that have run out."""
    while not stop.is_set():
        number = await database_sync_to_async(let_in_whose_bans_ended)()
        if number:
            logger.info("%d bans ran out", number)
        try:
            async with asyncio.timeout(EVERY):
                await stop.wait()
        except TimeoutError:
            continue
