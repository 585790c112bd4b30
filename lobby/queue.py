"""Waiting for a match, for players of every protocol.

A ticket lives as long as its holder refreshes it: a connection that died, or a process that was
killed, loses its place after the ticket's `ttl_ms`. One identity has one ticket, for any number of
queues; joining again changes its wishes and keeps its place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from games.redis import redis
from lobby import creation, maintenance, notices, playing, presence, rematch
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.store import DROP, EXPIRE, FADE, PUT, in_ms, named, now_ms, run, run_each
from lobby.tickets import Bots, Matched, Ticket, Wish, checked_wishes, new_ticket

REFRESH_SECONDS = 4.0
"""Seconds after which a holder refreshes its ticket."""
AWAY_MS = 5_000
"""A ticket this close to its end has no holder: it keeps the place for a player who comes back in
time, but is not matched."""


class TicketGone(Exception):
    """The ticket was withdrawn or has expired; it became no match."""


async def join(
    player: Player,
    wishes: Iterable[Wish],
    *,
    bots: Bots = "ask",
    ttl_ms: int = 15_000,
    requeue: bool = True,
    now: int | None = None,
) -> Ticket:
    """Wait in the queues of these wishes; raises LobbyError. Settles an open rematch with no."""
    wanted = checked_wishes(player, wishes)
    maintenance.refuse_when_full()
    identity = player.identity
    # One round trip for all that most players have nothing of.
    async with redis().pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.exists(named("closed"))
        pipe.pttl(named(f"barred:{identity}"))
        pipe.exists(named(f"again-of:{identity}"))
        pipe.hget(named("who"), identity)
        time, closed, barred_ms, again, waits = await pipe.execute()
    if closed:
        raise LobbyError("queues_closed")
    _refuse_barred(barred_ms)
    if again:
        await rematch.withdraw(identity, "queued")
    at = in_ms(time) if now is None else now
    old = None if waits is None else await ticket_of(identity)
    while True:
        if old is not None and (old.player.text or player.text):
            # A text connection holds its ticket alone: with it the ticket goes.
            raise LobbyError("queued_elsewhere")
        ticket = new_ticket(
            player,
            wanted,
            at if old is None else old.queued_at,
            bots=bots,
            ttl_ms=ttl_ms,
            requeue=requeue,
            id="" if old is None else old.id,
        )
        if await _put(ticket, old, at):
            return ticket
        old = await ticket_of(identity)


async def _put(ticket: Ticket, old: Ticket | None, now: int) -> bool:
    """Store the ticket of a player who is here now. False: it changed meanwhile, look again."""
    identity = ticket.player.identity
    answer = await run(
        PUT,
        identity,
        "" if old is None else old.id,
        msgspec.json.encode(ticket),
        now + ticket.ttl_ms,
        now,
        presence.GROUPS[ticket.player.kind],
    )
    if answer[0] == b"busy":
        match_id = answer[1].decode()
        if not await playing.release_if_out(identity, match_id):
            raise LobbyError("already_in_match", match=match_id, url=creation.url_of(match_id))
        return False
    return bool(answer[0] == b"ok")


def _refuse_barred(left: int) -> None:
    """`left`: milliseconds for which the player may not queue."""
    if left > 0:
        seconds = -(-left // 1000)
        raise LobbyError(
            "wait_before_queueing",
            f"You missed several matches. You can queue again in {seconds} s.",
            seconds=seconds,
        )


async def accept_bot(ticket_id: str) -> Ticket:
    """A house bot may take the other seat now; raises LobbyError when nobody waits any more."""
    while True:
        old = await get(ticket_id)
        if old is None:
            raise LobbyError("not_queued")
        ticket = new_ticket(
            old.player,
            old.wishes,
            old.queued_at,
            bots="now",
            ttl_ms=old.ttl_ms,
            requeue=old.requeue,
            id=old.id,
        )
        if await _put(ticket, old, await now_ms()):
            return ticket


async def leave(ticket_id: str) -> bool:
    """Stop waiting. False: it was not waiting any more (perhaps it has just been matched)."""
    gone = await run(DROP, ticket_id)
    if gone:
        await notices.tell_all([_gone_notice(gone, "left")])
    return bool(gone)


def _gone_notice(raw: bytes, reason: str) -> tuple[list[str], dict[str, Any]]:
    """To whoever holds the ticket, and to the pages of its user: the wait may have been ended from
    elsewhere."""
    ticket = msgspec.json.decode(raw, type=Ticket)
    return notices.holders_of(ticket), {"type": "unqueued", "reason": reason}


async def held_by_pages(identities: Collection[str]) -> dict[str, Ticket]:
    """The tickets of these players, unless a text connection holds them."""
    if len(identities) == 1:
        (identity,) = identities
        found = {identity: await ticket_of(identity)}
    else:
        found = await _tickets_of(identities)
    return {
        i: ticket for i, ticket in found.items() if ticket is not None and not ticket.player.text
    }


async def _tickets_of(identities: Collection[str]) -> dict[str, Ticket | None]:
    """Of many players, few of whom wait."""
    everybody = await redis().hgetall(named("who"))
    ids = {i: raw for i in identities if (raw := everybody.get(i.encode())) is not None}
    if not ids:
        return {}
    stored = await redis().hmget(named("tickets"), list(ids.values()))
    return {i: raw and _decoded(raw) for i, raw in zip(ids, stored, strict=True)}


async def refresh_all(tickets: Collection[Ticket], now: int) -> None:
    """Keep these tickets alive."""
    if tickets:
        expiry = {ticket.id: now + ticket.ttl_ms for ticket in tickets}
        await redis().zadd(named("alive"), expiry, xx=True)


async def refresh(ticket_id: str, now: int | None = None) -> bool:
    """Keep the ticket alive. False: it is gone; `result` tells whether it became a match."""
    ticket = await get(ticket_id)
    if ticket is None:
        return False
    at = await now_ms() if now is None else now
    await redis().zadd(named("alive"), {ticket_id: at + ticket.ttl_ms}, xx=True)
    await presence.seen(ticket.player, now=at)
    return True


async def fade(identity: str) -> None:
    """Stop matching the ticket of this player's pages: the last one was closed, perhaps to open the
    next in a moment."""
    await run(FADE, identity, AWAY_MS)


async def get(ticket_id: str) -> Ticket | None:
    raw = await redis().hget(named("tickets"), ticket_id)
    return None if raw is None else msgspec.json.decode(raw, type=Ticket)


async def ticket_of(identity: str) -> Ticket | None:
    """The ticket this player waits with, on whatever process or connection."""
    ticket_id = await redis().hget(named("who"), identity)
    return None if ticket_id is None else await get(ticket_id.decode())


async def result(ticket_id: str) -> Matched | None:
    """The match of a ticket, for two minutes after it was matched."""
    raw = await redis().get(named(f"result:{ticket_id}"))
    return None if raw is None else msgspec.json.decode(raw, type=Matched)


async def wait(ticket_id: str, every: float = REFRESH_SECONDS) -> Matched:
    """Hold a ticket until it is matched; raises TicketGone when it was withdrawn or expired.

    For text connections, bots and long polls. Cancel it to stop holding (and call `leave`).
    """
    async with notices.listening(notices.ticket_group(ticket_id)) as inbox:
        while True:
            matched = await result(ticket_id)
            if matched is not None:
                return matched
            if not await refresh(ticket_id) and not await becomes_a_match(ticket_id):
                raise TicketGone(ticket_id)
            await inbox.next(every)


async def becomes_a_match(ticket_id: str) -> bool:
    """Claimed, and its match is being created right now; or it has just been."""
    fate = (await fates([ticket_id]))[ticket_id]
    return fate == "pending" or isinstance(fate, Matched)


async def fates(
    ticket_ids: Sequence[str],
) -> dict[str, Ticket | Matched | Literal["pending"] | None]:
    """The states of these tickets: still waiting, matched, claimed for a match that is being
    created, or (None) gone."""
    async with redis().pipeline(transaction=True) as pipe:  # one moment, so that none is between
        pipe.hmget(named("tickets"), ticket_ids)
        pipe.zrange(named("pending"), 0, -1)
        pipe.mget([named(f"result:{ticket_id}") for ticket_id in ticket_ids])
        waiting, pending, results = await pipe.execute()
    plans = await creation.plans_of(pending)
    claimed = {seat.ticket for plan in plans for seat in plan.seats}
    found: dict[str, Ticket | Matched | Literal["pending"] | None] = {}
    for ticket_id, ticket, matched in zip(ticket_ids, waiting, results, strict=True):
        if ticket is not None:
            found[ticket_id] = _decoded(ticket)
        elif matched is not None:
            found[ticket_id] = msgspec.json.decode(matched, type=Matched)
        else:
            found[ticket_id] = "pending" if ticket_id in claimed else None
    return found


async def waiting(now: int | None = None) -> list[Ticket]:
    """The tickets whose holders are here, in no order."""
    here = (await now_ms() if now is None else now) + AWAY_MS
    async with redis().pipeline(transaction=False) as pipe:
        pipe.hgetall(named("tickets"))
        pipe.zrangebyscore(named("alive"), "-inf", here)
        stored, away = await pipe.execute()
    for ticket_id in away:
        stored.pop(ticket_id, None)
    return [_decoded(raw) for raw in stored.values()]


@lru_cache(maxsize=4096)
def _decoded(raw: bytes) -> Ticket:
    """Remembered: most tickets are still there at the next look, half a second later."""
    return msgspec.json.decode(raw, type=Ticket)


async def length() -> int:
    """The number of tickets, also of holders who are away."""
    return int(await redis().hlen(named("tickets")))


async def drop_expired(now: int) -> list[str]:
    """Drop the tickets whose holders are gone; returns their ids."""
    ids = [raw.decode() for raw in await redis().zrangebyscore(named("alive"), "-inf", now)]
    answers = await run_each(EXPIRE, ((ticket_id, now) for ticket_id in ids)) if ids else []
    gone = {ticket_id: raw for ticket_id, raw in zip(ids, answers, strict=True) if raw}
    await notices.tell_all(_gone_notice(raw, "expired") for raw in gone.values())
    return list(gone)


def summary(tickets: Iterable[Ticket], now: int) -> dict[str, dict[str, Any]]:
    """Per queue: how many wait, and since when the first one does."""
    queues: dict[str, dict[str, Any]] = {}
    for ticket in tickets:
        for name in ticket.queues:
            entry = queues.setdefault(name, {"waiting": 0, "longest_ms": 0})
            entry["waiting"] += 1
            entry["longest_ms"] = max(entry["longest_ms"], now - ticket.queued_at)
    return queues
