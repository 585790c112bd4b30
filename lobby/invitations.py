"""A private match by link: anyone with the link can take a free seat while it is open.

The match starts when all seats are taken and everybody is there. It is never rated: friends choose
its options.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any, Literal

import msgspec
from django.urls import reverse

from games.engine import registry
from games.live.setup import new_id
from games.redis import redis
from lobby import blocks, maintenance, notices, presence, rematch, states
from lobby.dealing import deals
from lobby.errors import LobbyError
from lobby.plans import Plan, Seated, checked_options, fitted, seat_for
from lobby.players import Player, refuse_muted
from lobby.store import named, now_ms

OPEN_MS = 3_600_000
MOST_OPEN = 5

Status = Literal["open", "started", "withdrawn", "expired"]


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    token: str
    mode: str
    options: dict[str, Any]
    size: int
    match: str
    """The id the match will have."""
    seats: tuple[Seated, ...]
    """The players with a seat so far; the host has the first."""
    deadline: int
    status: Status = "open"

    @property
    def host(self) -> Seated:
        return self.seats[0]

    @property
    def url(self) -> str:
        return reverse("lobby:invitation", args=[self.token])

    def as_message(self) -> dict[str, Any]:
        return {
            "type": "invitation",
            "token": self.token,
            "url": self.url,
            "mode": self.mode,
            "options": self.options,
            "size": self.size,
            "players": [{"name": seat.name, "kind": seat.kind} for seat in self.seats],
            "deadline": self.deadline,
            "status": self.status,
            "match": self.match if self.status == "started" else None,
        }


# -- pure ----------------------------------------------------------------------------------------


def seated(invitation: Invitation, seat: Seated, now: int) -> Invitation:
    """With one more seat taken; raises LobbyError. A player who has one already keeps it."""
    if any(seat.identity == other.identity for other in invitation.seats):
        return invitation
    _refuse_closed(invitation, now)
    if len(invitation.seats) == invitation.size:
        raise LobbyError("invite_full")
    return msgspec.structs.replace(invitation, seats=(*invitation.seats, seat))


def without(invitation: Invitation, identity: str, now: int) -> Invitation:
    """With this player's seat free again. The host takes the whole invitation away."""
    _refuse_closed(invitation, now)
    if identity == invitation.host.identity:
        return msgspec.structs.replace(invitation, status="withdrawn")
    seats = tuple(seat for seat in invitation.seats if seat.identity != identity)
    return msgspec.structs.replace(invitation, seats=seats)


def started(invitation: Invitation, here: Collection[str], now: int) -> Invitation:
    """Started, if it is full and everybody is here."""
    if invitation.status != "open" or now >= invitation.deadline:
        return invitation
    if len(invitation.seats) < invitation.size:
        return invitation
    if not all(seat.identity in here for seat in invitation.seats):
        return invitation
    return msgspec.structs.replace(invitation, status="started")


def plan_for(invitation: Invitation) -> Plan:
    return Plan(
        match=invitation.match,
        mode=invitation.mode,
        seats=invitation.seats,
        options=fitted(invitation.mode, dict(invitation.options), invitation.seats),
        rated=False,
        source="invite",
    )


def _refuse_closed(invitation: Invitation, now: int) -> None:
    if invitation.status != "open" or now >= invitation.deadline:
        raise LobbyError("invite_over")


# -- with Redis ----------------------------------------------------------------------------------


async def create(
    player: Player, mode: str, options: dict[str, Any] | None = None, size: int | None = None
) -> Invitation:
    """A new invitation with its host in the first seat; raises LobbyError."""
    await maintenance.refuse_when_closed()
    await refuse_muted(player)
    given = checked_options(mode, options or {})
    spec = registry.MODES[mode].spec
    if spec.max_seats == 1:
        raise LobbyError("solo_only", mode=mode)
    wanted = max(2, spec.min_seats) if size is None else size
    if not max(2, spec.min_seats) <= wanted <= spec.max_seats:
        raise LobbyError("bad_size", mode=mode)
    if len(await open_for(player.identity)) >= MOST_OPEN:
        raise LobbyError("too_many_invites")
    await deals.check(mode, given, player.identity)
    invitation = Invitation(
        token=secrets.token_urlsafe(12),
        mode=mode,
        options=given,
        size=wanted,
        match=new_id(),
        seats=(seat_for(player),),
        deadline=await now_ms() + OPEN_MS,
    )
    await redis().zadd(named("due"), {f"invite:{invitation.token}": invitation.deadline})
    await _note(invitation, player.identity)
    return await _change(invitation.token, lambda old, now: old or invitation)


async def get(token: str) -> Invitation | None:
    return await states.read(f"invite:{token}", Invitation)


async def take(player: Player, token: str) -> Invitation:
    """Take a free seat; raises LobbyError. The last one starts the match."""
    await maintenance.refuse_when_closed()
    await presence.seen(player)
    invitation = await get(token)
    if invitation is None:
        raise LobbyError("no_such_invite")
    await _refuse_blocked(player, invitation)
    await _note(invitation, player.identity)
    seat = seat_for(player)
    here = await _here(*invitation.seats, seat)
    taken = await _change(
        token, lambda old, now: started(seated(_known(old), seat, now), here, now)
    )
    return taken if taken.status == "started" else await look(token)


async def _refuse_blocked(player: Player, invitation: Invitation) -> None:
    """Refuse a player who has blocked one of those seated, or is blocked by one."""
    users = [seat.user_id for seat in invitation.seats if seat.user_id is not None]
    pairs = await blocks.pairs([*users, player.user_id]) if player.user_id is not None else ()
    if any(player.user_id in pair for pair in pairs):
        raise LobbyError("blocked")


async def leave(player: Player, token: str) -> Invitation:
    """Give the seat back; the host withdraws the invitation."""
    left = await _change(token, lambda old, now: without(_known(old), player.identity, now))
    await redis().zrem(named(f"invites:{player.identity}"), token)
    if player.user_id is not None:
        await notices.tell(notices.user_group(player.user_id), left.as_message())
    return left


async def look(token: str) -> Invitation:
    """Start the match if it can start now. Called whenever somebody of it comes back."""
    invitation = _known(await get(token))
    if invitation.status != "open" or len(invitation.seats) < invitation.size:
        return invitation
    here = await _here(*invitation.seats)
    return await _change(token, lambda old, now: started(_known(old), here, now))


async def with_seat(identity: str) -> list[Invitation]:
    """The invitations in which this player has a seat, whatever became of them."""
    raw = await redis().zrangebyscore(named(f"invites:{identity}"), await now_ms(), "+inf")
    found = [await get(value.decode()) for value in raw]
    return [
        invitation
        for invitation in found
        if invitation is not None and any(s.identity == identity for s in invitation.seats)
    ]


async def open_for(identity: str) -> list[Invitation]:
    """Those that are still open."""
    now = await now_ms()
    found = await with_seat(identity)
    return [i for i in found if i.status == "open" and now < i.deadline]


async def _here(*seats: Seated) -> set[str]:
    return await presence.online([seat.identity for seat in seats], await now_ms())


async def expire(token: str) -> None:
    def step(old: Invitation | None, now: int) -> Invitation:
        known = _known(old)
        return msgspec.structs.replace(known, status="expired") if known.status == "open" else known

    if await get(token) is not None:
        await _change(token, step)


def _known(invitation: Invitation | None) -> Invitation:
    if invitation is None:
        raise LobbyError("no_such_invite")
    return invitation


async def _note(invitation: Invitation, identity: str) -> None:
    """Remember for this player where they have a seat."""
    name = named(f"invites:{identity}")
    await redis().zadd(name, {invitation.token: invitation.deadline})
    await redis().pexpire(name, OPEN_MS)


async def _change(token: str, step: Any) -> Invitation:
    now = await now_ms()
    before: list[Invitation | None] = [None]

    def change(old: Invitation | None) -> tuple[Invitation, Plan | None]:
        before[0] = old
        new = step(old, now)
        starts = new.status == "started" and (old is None or old.status != "started")
        return new, plan_for(new) if starts else None

    # A little longer than it is open, so that who follows an old link learns what became of it.
    invitation = await states.change(
        f"invite:{token}", Invitation, change, ttl_ms=OPEN_MS + 600_000
    )
    if invitation != before[0]:
        if invitation.status == "started":
            for seat in invitation.seats:
                await rematch.withdraw(seat.identity, "left")
        users = [seat.user_id for seat in invitation.seats if seat.user_id is not None]
        await notices.tell([notices.user_group(u) for u in users], invitation.as_message())
    return invitation
