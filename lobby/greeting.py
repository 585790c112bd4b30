"""The first message to a page: everything that concerns its player, so that a reload or another
device loses nothing."""

from __future__ import annotations

from typing import Any

import msgspec
from django.conf import settings

from games.live.host import host
from games.redis import redis
from lobby import (
    board,
    challenges,
    creation,
    invitations,
    matchmaker,
    playing,
    presence,
    protocol,
    queue,
    ratings,
    rematch,
)
from lobby.pairing import offers
from lobby.people import away
from lobby.players import Player
from lobby.store import in_ms, named
from lobby.tickets import Ticket

Message = dict[str, Any]


async def messages(player: Player | None) -> list[Message]:
    """For this player, or for a visitor without an account."""
    identity = "" if player is None else player.identity
    strengths = {} if player is None else await ratings.of_user(player.user_id)
    # One round trip for all that most players have nothing of.
    async with redis().pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.exists(named("closed"))
        pipe.get(named(board.PRESENCE))
        pipe.hexists(named("playing"), identity)
        pipe.hexists(named("who"), identity)
        pipe.exists(named(f"challenges:{identity}"))
        pipe.exists(named(f"invites:{identity}"))
        pipe.exists(named(f"again-of:{identity}"))
        pipe.exists(away.flag(identity))
        if player is not None:
            presence.say_seen(pipe, player, host().heartbeat.now())
        time, closed, counts, *has = await pipe.execute()
    now = in_ms(time)
    hello: Message = {
        "type": "hello",
        "version": protocol.VERSION,
        "now": now,
        "queues_open": not closed,
        "bot_offer_seconds": settings.BOT_OFFER_SECONDS,
        **(msgspec.json.decode(counts) if counts else {}),
    }
    hello["type"] = "hello"
    if player is None:
        return [hello]
    hello["you"] = {"name": player.name, "kind": player.kind, "ratings": strengths}
    return [hello, *await _concerns(player, now, *has[:6])]


async def _concerns(
    player: Player,
    now: int,
    plays: bool,
    waits: bool,
    challenged: bool,
    invited: bool,
    again: bool,
    kept: bool,
) -> list[Message]:
    told: list[Message] = []
    match_id = await playing.match_of(player.identity) if plays else None
    if match_id is not None:
        told.append({"type": "return", "match": match_id, "url": creation.url_of(match_id)})
    ticket = (await queue.held_by_pages([player.identity])).get(player.identity) if waits else None
    if ticket is not None:
        await queue.refresh_all([ticket], now)
        told.append(queued_message(ticket))
        if offers([ticket], now, matchmaker.config()):
            told.append({"type": "bot_offer", "ticket": ticket.id})
    if challenged:
        told += [c.as_message() for c in await challenges.open_for(player.identity)]
    if kept:
        told += await away.kept_for(player)
    for invitation in await invitations.with_seat(player.identity) if invited else ():
        # A page that was loading when the match began learns it here.
        if invitation.status == "open" or invitation.match == match_id:
            told.append((await invitations.look(invitation.token)).as_message())
    offer = await rematch.offer_for(player.identity) if again else None
    if offer is not None:
        told.append(offer.as_message())
    return told


def queued_message(ticket: Ticket) -> Message:
    return {
        "type": "queued",
        "ticket": ticket.id,
        "queues": list(ticket.queues),
        "queued_at": ticket.queued_at,
        "bot": ticket.bots == "now",
    }
