"""Waiting for a match, for players of every protocol.

A ticket lives as long as its holder refreshes it: a connection that died, or a process that was
killed, loses its place after the ticket's `ttl_ms`. One identity has one ticket, for any number of
queues; joining again changes its wishes and keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from games.live.redis import redis
from lobby import creation, maintenance, notices, playing, presence, rematch
from lobby.errors import LobbyError
from lobby.players import Player
from lobby.store import DROP, EXPIRE, PUT, named, now_ms, run
from lobby.tickets import Bots, Matched, Ticket, Wish, checked_wishes, new_ticket

REFRESH_SECONDS = 4.0
"""How often a holder refreshes its ticket."""


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
    await maintenance.refuse_when_closed()
    await _refuse_barred(player.identity)
    await rematch.withdraw(player.identity, "queued")
    at = await now_ms() if now is None else now
    while True:
        old = await ticket_of(player.identity)
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
            await presence.seen(player, now=at)
            return ticket


async def _put(ticket: Ticket, old: Ticket | None, now: int) -> bool:
    """False: the player's ticket changed meanwhile, look again."""
    identity = ticket.player.identity
    answer = await run(
        PUT,
        identity,
        "" if old is None else old.id,
        msgspec.json.encode(ticket),
        now + ticket.ttl_ms,
    )
    if answer[0] == b"busy":
        match_id = answer[1].decode()
        if not await playing.release_if_out(identity, match_id):
            raise LobbyError("already_in_match", match=match_id, url=creation.url_of(match_id))
        return False
    return bool(answer[0] == b"ok")


async def _refuse_barred(identity: str) -> None:
    left = await redis().pttl(named(f"barred:{identity}"))
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
        await _tell_gone(gone, "left")
    return bool(gone)


async def _tell_gone(raw: bytes, reason: str) -> None:
    """To whoever holds the ticket, and to the pages of its user: the wait may have been ended from
    elsewhere."""
    ticket = msgspec.json.decode(raw, type=Ticket)
    groups = [notices.ticket_group(ticket.id)]
    if ticket.player.user_id is not None and not ticket.player.text:
        groups.append(notices.user_group(ticket.player.user_id))
    await notices.tell(groups, {"type": "unqueued", "reason": reason})


async def refresh(ticket_id: str, now: int | None = None) -> bool:
    """Keep the ticket alive. False: it is gone; `result` tells whether it became a match."""
    ticket = await get(ticket_id)
    if ticket is None:
        return False
    at = await now_ms() if now is None else now
    await redis().zadd(named("alive"), {ticket_id: at + ticket.ttl_ms}, xx=True)
    await presence.seen(ticket.player, now=at)
    return True


async def fade(ticket_id: str, seconds: int = 5) -> None:
    """Its holder has gone, perhaps to come back in a moment: let it expire sooner."""
    expires = await now_ms() + seconds * 1000
    await redis().zadd(named("alive"), {ticket_id: expires}, xx=True, lt=True)


async def get(ticket_id: str) -> Ticket | None:
    raw = await redis().hget(named("tickets"), ticket_id)
    return None if raw is None else msgspec.json.decode(raw, type=Ticket)


async def ticket_of(identity: str) -> Ticket | None:
    """The ticket this player waits with, on whatever process or connection."""
    ticket_id = await redis().hget(named("who"), identity)
    return None if ticket_id is None else await get(ticket_id.decode())


async def result(ticket_id: str) -> Matched | None:
    """What became of a ticket, for two minutes after it was matched."""
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
    plans = await creation.pending()
    if any(seat.ticket == ticket_id for plan in plans for seat in plan.seats):
        return True
    return await result(ticket_id) is not None


async def waiting() -> list[Ticket]:
    """All tickets, in no order."""
    raw = await redis().hvals(named("tickets"))
    return [msgspec.json.decode(value, type=Ticket) for value in raw]


async def drop_expired(now: int) -> list[str]:
    """Drop the tickets whose holders are gone; returns their ids."""
    dropped = []
    for raw in await redis().zrangebyscore(named("alive"), "-inf", now):
        ticket_id = raw.decode()
        if gone := await run(EXPIRE, ticket_id, now):
            dropped.append(ticket_id)
            await _tell_gone(gone, "expired")
    return dropped


def summary(tickets: Iterable[Ticket], now: int) -> dict[str, dict[str, Any]]:
    """Per queue: how many wait, and since when the first one does."""
    queues: dict[str, dict[str, Any]] = {}
    for ticket in tickets:
        for name in ticket.queues:
            entry = queues.setdefault(name, {"waiting": 0, "longest_ms": 0})
            entry["waiting"] += 1
            entry["longest_ms"] = max(entry["longest_ms"], now - ticket.queued_at)
    return queues
