"""Acts of staff. Every act asks for its permission, carries a reason, and is recorded; there
is no other way to do it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.signals import access_ended
from games.live.host import NoSuchMatch, host
from games.live.stored_log import read_entries
from games.moderation import enforcement
from games.moderation.models import Sanction, StaffAct
from lobby import maintenance, queue
from lobby.players import user_identity

PERMISSIONS: Final = {
    "watch": "moderation.look",
    "log": "moderation.look",
    "kick": "moderation.kick",
    "mute": "moderation.mute",
    "unmute": "moderation.mute",
    "ban": "moderation.ban",
    "unban": "moderation.ban",
    "abort": "moderation.abort",
    "announce": "moderation.announce",
    "close-queues": "moderation.queues",
    "open-queues": "moderation.queues",
}
LOOKS: Final = frozenset({"watch", "log"})
"""Acts that change nothing; they need no reason."""


class ActRefused(Exception):
    """The act can't be done; the text says why."""


def check(by: User, act: str, why: str) -> None:
    """Raises PermissionDenied or ActRefused."""
    if not (by.is_active and by.is_staff and by.has_perm(PERMISSIONS[act])):
        raise PermissionDenied
    if act not in LOOKS and not why.strip():
        raise ActRefused(_("Give a reason. It will be recorded."))


def record(by: User, act: str, target: str, why: str, **detail: Any) -> StaffAct:
    return StaffAct.objects.create(
        by=by, by_name=by.username, act=act, target=target, why=why.strip()[:500], detail=detail
    )


_check = sync_to_async(check)
_record = sync_to_async(record)


def _refuse_staff(by: User, target: User) -> None:
    """Refuse acts on oneself, and on staff unless by a superuser."""
    if target.pk == by.pk:
        raise ActRefused(_("You can’t do this to your own account."))
    if (target.is_staff or target.is_superuser) and not by.is_superuser:
        raise ActRefused(_("This is a staff account. Ask a superuser."))


# -- players -------------------------------------------------------------------------------------


async def kick(by: User, target: User, why: str) -> None:
    """Close all connections of a player and take them from the queue. They may come back."""
    await _check(by, "kick", why)
    _refuse_staff(by, target)
    await _record(by, "kick", target.username, why)
    await sync_to_async(access_ended.send)(User, user_id=target.pk, session_key=None, token_id=None)
    await _leave_queue(target)


async def sanction(by: User, target: User, kind: str, why: str, until: datetime | None) -> None:
    """Mute or ban, with an end or for good."""
    await _check(by, kind, why)
    _refuse_staff(by, target)

    def impose() -> None:
        with transaction.atomic():
            enforcement.impose(target, kind, why.strip()[:300], by, until)
            end = None if until is None else until.isoformat()
            record(by, kind, target.username, why, until=end)

    await sync_to_async(impose)()
    if kind == Sanction.Kind.BAN:
        await _leave_queue(target)


async def lift(by: User, target: User, kind: str, why: str) -> None:
    """End a mute or a ban before its time."""
    await _check(by, f"un{kind}", why)

    def end() -> None:
        with transaction.atomic():
            if not enforcement.lift(target.pk, kind):
                raise ActRefused(_("There’s no sanction to lift."))
            record(by, f"un{kind}", target.username, why)

    await sync_to_async(end)()


async def _leave_queue(target: User) -> None:
    ticket = await queue.ticket_of(user_identity(target.pk))
    if ticket is not None:
        await queue.leave(ticket.id)


# -- matches -------------------------------------------------------------------------------------


async def abort(by: User, match_id: str, why: str) -> None:
    """End a running match without a result. Ratings do not change."""
    await _check(by, "abort", why)
    here = host()
    try:
        replica = await here.join(match_id)
    except NoSuchMatch:
        raise ActRefused(_("This match isn’t running.")) from None
    try:
        if replica.over is not None:
            raise ActRefused(_("This match is over."))
        await _record(by, "abort", match_id, why)
        if not (await replica.abort("!staff", b'{"reason":"staff"}')).stored:
            raise ActRefused(_("This match is over."))
    finally:
        here.leave(replica)


def looked(by: User, act: str, match_id: str) -> None:
    """Record that the hidden part of a match was looked at."""
    check(by, act, "")
    record(by, act, match_id, "")


# -- the site ------------------------------------------------------------------------------------


async def announce(by: User, text: str, why: str) -> None:
    await _check(by, "announce", why)
    if not text.strip():
        raise ActRefused(_("The message is empty."))
    said = text.strip()[: maintenance.LONGEST_ANNOUNCEMENT]
    await _record(by, "announce", "", why, text=said)
    await maintenance.announce(said)


async def close_queues(by: User, why: str) -> None:
    await _check(by, "close-queues", why)
    await _record(by, "close-queues", "", why)
    await maintenance.close_queues(why.strip())


async def open_queues(by: User, why: str) -> None:
    await _check(by, "open-queues", why)
    await _record(by, "open-queues", "", why)
    await maintenance.open_queues()


async def entries_of(match_id: str) -> list[Any]:
    """The log of a match that runs, or has just ended; empty when Redis does not have it."""
    here = host()
    await here.opened()
    return list(await read_entries(here.servers, match_id))
