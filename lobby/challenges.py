"""Challenge a player by name: accept, decline, cancel, or let it run out.

A challenge to a house bot is accepted at once.
"""

from __future__ import annotations

import secrets
from typing import Any, Literal

import msgspec

from accounts import places, privacy
from accounts.models import User
from accounts.notifications.notify import anotify, atake_back
from accounts.reading import read
from games.bots import roster
from games.engine import registry
from games.live.setup import new_id
from games.redis import redis
from lobby import blocks, events, house_bots, maintenance, notices, presence, rematch, states
from lobby.dealing import deals
from lobby.errors import LobbyError
from lobby.people.limits import is_allowed, start_again
from lobby.plans import Plan, Seated, checked_options, fitted, seat_for
from lobby.players import Player, player_of, refuse_muted
from lobby.store import named, now_ms
from lobby.tickets import Wish, checked_wishes
from lobby.users import user_named

OPEN_MS = 120_000
KEEP_MS = 300_000
MOST_OPEN = 5
MOST_AN_HOUR = 60
MOST_OF_PAIR = 5
"""Challenges an hour to one player who doesn't accept them."""

Status = Literal["open", "accepted", "declined", "cancelled", "expired"]


class PlayerAway(LobbyError):
    """The player is not here; nothing else is in the way of this challenge."""

    def __init__(self, player: Player, options: dict[str, Any]) -> None:
        super().__init__("player_offline")
        self.player = player
        self.options = options


class Challenge(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    by: Player
    to: Seated
    plan: Plan
    deadline: int
    status: Status = "open"

    def as_message(self) -> dict[str, Any]:
        return {
            "type": "challenge",
            "id": self.id,
            "from": self.by.name,
            "to": self.to.name,
            "mode": self.plan.mode,
            "options": self.plan.options,
            "rated": self.plan.rated,
            "deadline": self.deadline,
            "status": self.status,
            "match": self.plan.match if self.status == "accepted" else None,
            "kept": False,
        }


# -- pure ----------------------------------------------------------------------------------------


def settled(challenge: Challenge, status: Status, now: int) -> Challenge:
    """The challenge after this; raises LobbyError when it is not open any more."""
    if challenge.status == status:
        return challenge
    if challenge.status == "open" and now >= challenge.deadline and status != "expired":
        raise LobbyError("challenge_over", id=challenge.id)
    if challenge.status != "open":
        raise LobbyError("challenge_over", id=challenge.id)
    return msgspec.structs.replace(challenge, status=status)


# -- with Redis ----------------------------------------------------------------------------------


async def send(
    player: Player, name: str, mode: str, options: dict[str, Any] | None = None, rated: bool = False
) -> Challenge:
    """Ask a player by name for a match of two; raises LobbyError."""
    await maintenance.refuse_when_closed()
    await refuse_muted(player)
    (wish,) = checked_wishes(player, [Wish(mode=mode, size=2, rated=rated)])
    given = checked_options(mode, options or {})
    if rated and given:
        raise LobbyError("bad_options", "A rated match is played with the usual options.")
    other = await _opponent(player, name)
    if wish.rated and not other.may_play_rated:
        raise LobbyError("rated_needs_account", "Rated matches need two registered accounts.")
    if other.kind == "house" and registry.mode(mode).bot is None:
        raise LobbyError("no_challenges", "The house bots don't play this game.")
    now = await now_ms()
    if other.kind != "house" and not await presence.online([other.identity], now):
        raise PlayerAway(other, given)
    await deals.check(mode, given, player.identity)
    await refuse_many(player, other)
    challenge = new(player, other, mode, given, rated, deadline=now + OPEN_MS)
    await _remember(challenge, now)
    await states.change(
        f"challenge:{challenge.id}", Challenge, lambda _: (challenge, None), ttl_ms=KEEP_MS
    )
    if other.kind == "house":
        return await _settle(challenge.id, "accepted")
    await _tell(challenge)
    if other.user_id is not None:
        kind, data = _kind(challenge), {"name": player.name, "mode": mode}
        await anotify(other.user_id, kind, data, places.url("people"), challenge.id)
    return challenge


async def begin(challenge: Challenge) -> Challenge:
    """Make the match of a challenge that both players have agreed to. Again: changes nothing."""
    await deals.check(challenge.plan.mode, challenge.plan.options, challenge.by.identity)

    def step(old: Challenge | None) -> tuple[Challenge, Plan | None]:
        if old is not None:
            return old, None
        return msgspec.structs.replace(challenge, status="accepted"), challenge.plan

    stored = await states.change(f"challenge:{challenge.id}", Challenge, step, ttl_ms=KEEP_MS)
    for identity in stored.plan.identities:
        await rematch.withdraw(identity, "left")
    await _tell(stored)
    return stored


def new(
    player: Player,
    other: Player,
    mode: str,
    options: dict[str, Any],
    rated: bool,
    id: str = "",
    deadline: int = 0,
) -> Challenge:
    """A challenge with checked options, and the plan of its match."""
    seats = (seat_for(player), _seat(other))
    plan = Plan(
        match=new_id(),
        mode=mode,
        seats=seats,
        options=fitted(mode, options, seats),
        rated=rated,
        source="challenge",
    )
    return Challenge(
        id=id or secrets.token_hex(8), by=player, to=_seat(other), plan=plan, deadline=deadline
    )


async def answer(player: Player, challenge_id: str, yes: bool) -> Challenge:
    """The challenged player accepts or declines. Accepting leaves every queue."""
    challenge = await get(challenge_id)
    if challenge is None or challenge.to.identity != player.identity:
        raise LobbyError("no_such_challenge")
    if not yes:
        return await _settle(challenge_id, "declined")
    await maintenance.refuse_when_closed()
    now = await now_ms()
    if challenge.by.identity not in await presence.online([challenge.by.identity], now):
        raise LobbyError("player_offline")
    accepted = await _settle(challenge_id, "accepted")
    for identity in accepted.plan.identities:
        await rematch.withdraw(identity, "left")
    return accepted


async def cancel(player: Player, challenge_id: str) -> Challenge:
    """The challenger takes it back."""
    challenge = await get(challenge_id)
    if challenge is None or challenge.by.identity != player.identity:
        raise LobbyError("no_such_challenge")
    return await _settle(challenge_id, "cancelled")


async def get(challenge_id: str) -> Challenge | None:
    return await states.read(f"challenge:{challenge_id}", Challenge)


async def of(player: Player, challenge_id: str) -> Challenge:
    """A challenge that this player sent or got, whatever became of it; raises LobbyError."""
    challenge = await get(challenge_id)
    if challenge is None or player.identity not in challenge.plan.identities:
        raise LobbyError("no_such_challenge")
    return challenge


async def open_for(identity: str) -> list[Challenge]:
    """The open challenges that this player sent or got, oldest first."""
    now = await now_ms()
    raw = await redis().zrangebyscore(named(f"challenges:{identity}"), now, "+inf")
    found = [await get(value.decode()) for value in raw]
    return [c for c in found if c is not None and c.status == "open" and now < c.deadline]


async def expire(challenge_id: str) -> None:
    challenge = await get(challenge_id)
    if challenge is not None and challenge.status == "open":
        await _settle(challenge_id, "expired")


async def _opponent(player: Player, name: str) -> Player:
    bot = roster.named(name)
    user = await user_named(name) if bot is None else await house_bots.account_of(bot)
    other = player_of(user)
    if other.identity == player.identity:
        raise LobbyError("not_yourself")
    if player.user_id is not None and await blocks.apart(player.user_id, user.pk):
        raise LobbyError("blocked")
    if not await read(_accepts, user, player):
        raise LobbyError("no_challenges")
    return other


async def refuse_many(player: Player, other: Player) -> None:
    """Count one more, which the other is told of; raises LobbyError `too_many_challenges`."""
    if other.kind == "house":
        return
    if not await is_allowed("challenge", player.identity, MOST_AN_HOUR):
        raise LobbyError(
            "too_many_challenges", "You've sent many challenges in a short time. Try again later."
        )
    if not await is_allowed(_pair(other.identity), player.identity, MOST_OF_PAIR):
        raise LobbyError(
            "too_many_challenges", "You've challenged this player often. Try again in an hour."
        )


def _pair(challenged: str) -> str:
    return f"challenge:{challenged}"


def _seat(other: Player) -> Seated:
    seat = seat_for(other)
    return msgspec.structs.replace(seat, identity="") if other.kind == "house" else seat


async def _remember(challenge: Challenge, now: int) -> None:
    """Note it for both, with its end; raises LobbyError when the sender has too many."""
    mine = [
        c for c in await open_for(challenge.by.identity) if c.by.identity == challenge.by.identity
    ]
    if len(mine) >= MOST_OPEN:
        raise LobbyError("too_many_challenges")
    async with redis().pipeline(transaction=True) as pipe:
        pipe.zadd(named("due"), {f"challenge:{challenge.id}": challenge.deadline})
        for identity in challenge.plan.identities:
            name = named(f"challenges:{identity}")
            pipe.zremrangebyscore(name, "-inf", now)
            pipe.zadd(name, {challenge.id: challenge.deadline})
            pipe.pexpire(name, KEEP_MS)
        await pipe.execute()


async def _settle(challenge_id: str, status: Status) -> Challenge:
    now = await now_ms()

    def step(old: Challenge | None) -> tuple[Challenge, Plan | None]:
        if old is None:
            raise LobbyError("no_such_challenge")
        new = settled(old, status, now)
        return new, new.plan if status == "accepted" and new != old else None

    challenge = await states.change(f"challenge:{challenge_id}", Challenge, step, ttl_ms=KEEP_MS)
    if status == "accepted" and challenge.to.identity:
        await start_again(_pair(challenge.to.identity), challenge.by.identity)
    await _tell(challenge)
    if status != "expired" and challenge.to.user_id is not None:
        await atake_back(challenge.to.user_id, _kind(challenge), challenge.id)
    return challenge


def _kind(challenge: Challenge) -> str:
    """Of the notification."""
    return "rated_challenge" if challenge.plan.rated else "challenge"


def _accepts(user: User, player: Player) -> bool:
    """Do this user's settings let the player challenge them?"""
    by = User.objects.filter(pk=player.user_id or 0).first()
    return privacy.may("challenges", user, by or User(kind=User.Kind.GUEST))


async def _tell(challenge: Challenge) -> None:
    users = [s.user_id for s in challenge.plan.seats if s.user_id is not None and s.identity]
    await events.record((user, "challenge", challenge.as_message()) for user in users)
    await notices.tell([notices.user_group(user) for user in users], challenge.as_message())
