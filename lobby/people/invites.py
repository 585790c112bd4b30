"""Call players by name to a private match whose link one has."""

from __future__ import annotations

from typing import Final

from channels.db import database_sync_to_async

from accounts import privacy
from accounts.models import User
from accounts.notifications.notify import notify
from games.redis import redis
from lobby import blocks, invitations
from lobby.errors import LobbyError
from lobby.people.limits import is_allowed
from lobby.players import Player, refuse_muted, user_identity
from lobby.store import named
from lobby.users import user_named

MOST: Final = 10
"""Players who are called to one invitation."""
MOST_AN_HOUR: Final = 30
MOST_OF_PAIR: Final = 5
"""Calls an hour to one player."""


async def call(player: Player, token: str, name: str) -> str:
    """Tell this player of the invitation; returns the name as its owner writes it. Whoever has a
    seat may. Raises LobbyError."""
    await refuse_muted(player)
    found = await invitations.get(token)
    if found is None or player.identity not in {seat.identity for seat in found.seats}:
        raise LobbyError("no_such_invite")
    if found.status != "open":
        raise LobbyError("invite_over")
    if len(found.seats) >= found.size:
        raise LobbyError("invite_full")
    other = await user_named(name)
    if other.pk == player.user_id:
        raise LobbyError("not_yourself", "You can't invite yourself.")
    if player.user_id is not None and await blocks.apart(player.user_id, other.pk):
        raise LobbyError("blocked")
    if other.kind not in (User.Kind.REGISTERED, User.Kind.GUEST, User.Kind.BOT):
        raise LobbyError("no_challenges")
    if user_identity(other.pk) in {seat.identity for seat in found.seats}:
        return other.username
    await _count(token, other.pk)
    await _refuse_many(player, other)
    await database_sync_to_async(_notify)(player, other, found.mode, found.url, token)
    return other.username


async def _refuse_many(player: Player, other: User) -> None:
    for what, most in (("call", MOST_AN_HOUR), (f"call:{other.pk}", MOST_OF_PAIR)):
        if not await is_allowed(what, player.identity, most):
            raise LobbyError(
                "too_many_invites", "You've invited players often. Try again in an hour."
            )


def _notify(player: Player, other: User, mode: str, url: str, token: str) -> None:
    by = User.objects.filter(pk=player.user_id or 0).first()
    if by is None or not privacy.may("challenges", other, by):
        raise LobbyError("no_challenges")
    notify(other.pk, "invitation", {"name": by.username, "mode": mode}, url, token[:60])


async def _count(token: str, user_id: int) -> None:
    """Each player is called once, and not many of them."""
    name = named(f"called:{token}")
    async with redis().pipeline(transaction=True) as pipe:
        pipe.sadd(name, user_id)
        pipe.scard(name)
        pipe.expire(name, 24 * 3600)
        is_new, number, _set = await pipe.execute()
    if number > MOST:
        if is_new:
            await redis().srem(name, user_id)
        raise LobbyError("too_many_invites", f"You can call {MOST} players to one match.")
