"""Challenges to players who are away: kept in the database for a day, and shown to them when they
come.

A kept challenge has an id like any other, and is answered and cancelled in the same way. If the
challenger is here when it is accepted, the match starts. Otherwise it turns round: the challenger
finds the answer when they come, and accepts in their turn.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from channels.db import database_sync_to_async
from django.db import Error, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts import places
from accounts.models import User
from accounts.notifications.models import Notification
from accounts.notifications.notify import notify, take_back
from games.redis import redis
from lobby import blocks, challenges, maintenance, notices, presence
from lobby.challenges import Challenge, PlayerAway
from lobby.errors import LobbyError
from lobby.people.limits import is_allowed
from lobby.people.models import KeptChallenge
from lobby.players import Player, player_of, refuse_muted, user_identity
from lobby.store import named, now_ms

KEPT: Final = timedelta(days=1)
MOST_SENT: Final = 5
MOST_RECEIVED: Final = 20
MOST_AN_HOUR: Final = 20
SWEEP_SECONDS: Final = 60.0
NOTICES_KEPT: Final = timedelta(days=90)
"""After this time the bell forgets."""
OURS: Final = ("challenge_kept", "challenge_returned")
PEOPLE: Final = (User.Kind.REGISTERED, User.Kind.BOT)

logger = logging.getLogger(__name__)
Message = dict[str, Any]


# -- for pages and the API: challenges of either sort ---------------------------------------------


async def send(
    player: Player, name: str, mode: str, options: dict[str, Any], rated: bool, keep: bool
) -> Message:
    """Challenge a player; with `keep` the challenge waits for one who is away. Raises
    LobbyError."""
    try:
        sent = await challenges.send(player, name, mode, options, rated)
    except PlayerAway as away:
        if not keep or away.player.kind not in PEOPLE:
            raise
        if player.kind not in PEOPLE:
            raise LobbyError("account_needed") from None
        return await _keep(player, away.player, mode, away.options, rated)
    return sent.as_message()


async def answer(player: Player, challenge_id: str, yes: bool) -> Message:
    """Accept or decline a challenge; raises LobbyError."""
    if await challenges.get(challenge_id) is not None:
        return (await challenges.answer(player, challenge_id, yes)).as_message()
    row = await _row(challenge_id, to=player)
    if not yes:
        await database_sync_to_async(_decline)(row)
        return await _tell(row, "declined")
    await maintenance.refuse_when_closed()
    await refuse_muted(player)
    if await blocks.apart(row.by_id, row.to_id):
        raise LobbyError("blocked")
    identity = user_identity(row.by_id)
    if identity not in await presence.online([identity], await now_ms()):
        return await _turn_round(player, row)
    begun = await challenges.begin(_as_challenge(row))
    await database_sync_to_async(_forget)(row)
    return begun.as_message()


async def cancel(player: Player, challenge_id: str) -> Message:
    """Take one's own challenge back; raises LobbyError."""
    if await challenges.get(challenge_id) is not None:
        return (await challenges.cancel(player, challenge_id)).as_message()
    row = await _row(challenge_id, by=player)
    await database_sync_to_async(_forget)(row)
    return await _tell(row, "cancelled")


async def of(player: Player, challenge_id: str) -> Message:
    """A challenge that this player sent or got; raises LobbyError."""
    if await challenges.get(challenge_id) is not None:
        return (await challenges.of(player, challenge_id)).as_message()
    return as_message(await _row(challenge_id, either=player))


async def open_for(player: Player) -> list[Message]:
    """The open challenges that this player sent or got, those that are kept last."""
    live = [found.as_message() for found in await challenges.open_for(player.identity)]
    return [*live, *await kept_for(player)]


async def kept_for(player: Player) -> list[Message]:
    """The kept challenges that this player sent or got, the oldest first."""
    if player.user_id is None:
        return []
    user = player.user_id
    rows = _held().filter(Q(by=user) | Q(to=user)).select_related("by", "to")
    return [as_message(row) async for row in rows.order_by("created_at")]


def flag(identity: str) -> str:
    """The key that says that this player may have kept challenges: a page that opens need not ask
    the database of everybody else."""
    return named(f"kept:{identity}")


def as_message(row: KeptChallenge, status: str = "open") -> Message:
    return {
        "type": "challenge",
        "id": row.pk,
        "from": row.by.username,
        "to": row.to.username,
        "mode": row.mode,
        "options": row.options,
        "rated": row.rated,
        "deadline": int(row.until.timestamp() * 1000),
        "status": status,
        "match": None,
        "kept": True,
    }


# -- inside --------------------------------------------------------------------------------------


def _held() -> QuerySet[KeptChallenge]:
    return KeptChallenge.objects.filter(until__gt=timezone.now())


async def _row(
    challenge_id: str,
    *,
    by: Player | None = None,
    to: Player | None = None,
    either: Player | None = None,
) -> KeptChallenge:
    rows = _held().filter(pk=challenge_id).select_related("by", "to")
    if by is not None:
        rows = rows.filter(by=by.user_id)
    if to is not None:
        rows = rows.filter(to=to.user_id)
    if either is not None:
        rows = rows.filter(Q(by=either.user_id) | Q(to=either.user_id))
    found: KeptChallenge | None = await rows.afirst()
    if found is None:
        raise LobbyError("no_such_challenge")
    return found


async def _keep(
    player: Player, other: Player, mode: str, options: dict[str, Any], rated: bool
) -> Message:
    if not await is_allowed("keep", player.user_id, MOST_AN_HOUR):
        raise LobbyError(
            "too_many_challenges", "You've left many challenges in a short time. Try again later."
        )
    await challenges.refuse_many(player, other)
    row = await database_sync_to_async(_store)(
        player.user_id, other.user_id, mode, options, rated, "challenge_kept"
    )
    await _note(row)
    return await _tell(row, "open")


async def _turn_round(player: Player, row: KeptChallenge) -> Message:
    """The challenger is away now: they find the answer when they come."""

    def turn() -> KeptChallenge:
        with transaction.atomic():
            _forget(row)
            return _store(
                row.to_id, row.by_id, row.mode, row.options, row.rated, "challenge_returned"
            )

    turned = await database_sync_to_async(turn)()
    await _note(turned)
    await _tell(row, "cancelled")
    return await _tell(turned, "open")


def _store(
    by: int, to: int, mode: str, options: dict[str, Any], rated: bool, kind: str
) -> KeptChallenge:
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by)  # one at a time
        sent = _held().filter(by=by).exclude(to=to)
        if sent.count() >= MOST_SENT:
            raise LobbyError("too_many_challenges")
        if _held().filter(to=to).exclude(by=by).count() >= MOST_RECEIVED:
            raise LobbyError(
                "too_many_challenges", "This player has many challenges waiting already."
            )
        for before in KeptChallenge.objects.filter(by=by, to=to):
            _forget(before)
        made = KeptChallenge.objects.create(
            id=secrets.token_hex(8),
            by_id=by,
            to_id=to,
            mode=mode,
            options=options,
            rated=rated,
            until=timezone.now() + KEPT,
        )
        row = KeptChallenge.objects.select_related("by", "to").get(pk=made.pk)
        data = {"name": row.by.username, "mode": mode}
        notify(to, kind, data, places.url("people"), row.pk)
    return row


def _decline(row: KeptChallenge) -> None:
    with transaction.atomic():
        _forget(row)
        data = {"name": row.to.username, "mode": row.mode}
        notify(row.by_id, "challenge_declined", data, row.to.get_absolute_url(), f"u{row.to_id}")


def _forget(row: KeptChallenge) -> None:
    with transaction.atomic():
        KeptChallenge.objects.filter(pk=row.pk).delete()
        for kind in OURS:
            take_back(row.to_id, kind, row.pk)


def _as_challenge(row: KeptChallenge) -> Challenge:
    return challenges.new(
        player_of(row.by), player_of(row.to), row.mode, row.options, row.rated, row.pk
    )


async def _note(row: KeptChallenge) -> None:
    async with redis().pipeline(transaction=False) as pipe:
        for user in (row.by_id, row.to_id):
            pipe.set(flag(user_identity(user)), 1, ex=int(KEPT.total_seconds()))
        await pipe.execute()


async def _tell(row: KeptChallenge, status: str) -> Message:
    message = as_message(row, status)
    await notices.tell([notices.user_group(user) for user in (row.by_id, row.to_id)], message)
    return message


# -- the worker's job ------------------------------------------------------------------------------


async def run(stop: asyncio.Event) -> None:
    """Delete what is out of date. Several workers may."""
    while not stop.is_set():
        try:
            await database_sync_to_async(sweep)()
        except Error:
            logger.exception("kept challenges could not be swept")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), SWEEP_SECONDS)


def sweep() -> None:
    now = timezone.now()
    for row in KeptChallenge.objects.filter(until__lte=now)[:1000]:
        _forget(row)
    Notification.objects.filter(created_at__lte=now - NOTICES_KEPT).delete()
