"""Again? After a result each seat says yes or no.

All yes makes a new match with the same players and options, linked to the old one; the first no,
leaving, joining a queue, or the end of the time settles it for everybody and says who it was. The
answers may come from any process and any protocol, more than once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec

from games.engine import registry
from games.engine.game import Outcome
from games.live.setup import new_id
from games.redis import redis
from lobby import creation, maintenance, notices, outcomes, presence, states
from lobby.errors import LobbyError
from lobby.plans import Plan, fitted
from lobby.store import named, now_ms

ANSWER_MS = 60_000
KEEP_MS = 600_000
"""Milliseconds for which players who were away can still read a settled offer."""
AWAY_MS = 3_500
"""Milliseconds after which a player who closed the page has left."""


PEOPLE = ("registered", "guest")


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    """The match that is over."""
    plan: Plan
    """The match that it becomes when all say yes."""
    answers: tuple[bool | None, ...]
    deadline: int
    agreed: bool = False
    ended: str = ""
    """declined, left, queued, busy or timeout."""
    by: tuple[int, ...] = ()
    """The seats that ended it."""

    @property
    def settled(self) -> bool:
        return self.agreed or bool(self.ended)

    def seat_of(self, identity: str) -> int | None:
        return self.plan.seat_of(identity)

    def as_message(self) -> dict[str, Any]:
        return {
            "type": "again",
            "match": self.match,
            "players": [{"name": seat.name, "kind": seat.kind} for seat in self.plan.seats],
            "answers": list(self.answers),
            "deadline": self.deadline,
            "new": self.plan.match if self.agreed else None,
            "url": creation.url_of(self.plan.match) if self.agreed else None,
            "ended": self.ended or None,
            "by": ", ".join(self.plan.seats[seat].name for seat in self.by) or None,
        }


# -- pure ----------------------------------------------------------------------------------------


def first_offer(old: Plan, outcome: Outcome, now: int, match_id: str) -> Offer:
    """The offer as it stands right after the result. House bots always want to play again."""
    plan = msgspec.structs.replace(
        old,
        match=match_id,
        previous=old.match,
        source="rematch",
        is_private=old.is_private or old.source == "invite",
        options=next_options(old, outcome),
        seats=tuple(msgspec.structs.replace(seat, ticket="") for seat in old.seats),
        tickets=(),
    )
    return Offer(
        match=old.match,
        plan=plan,
        answers=tuple(True if seat.kind == "house" else None for seat in old.seats),
        deadline=now + ANSWER_MS,
    )


def next_options(old: Plan, outcome: Outcome) -> dict[str, Any]:
    """The same options, unless the mode changes them for a rematch."""
    options = fitted(old.mode, dict(old.options), old.seats)
    change = registry.mode(old.mode).rematch_options
    return options if change is None else change(options, outcome)


def answered(offer: Offer, seat: int, yes: bool, now: int, reason: str = "declined") -> Offer:
    """The offer after this answer. A settled offer does not change any more."""
    offer = expired(offer, now)
    if offer.settled:
        return offer
    answers = tuple(yes if i == seat else a for i, a in enumerate(offer.answers))
    if not yes:
        return msgspec.structs.replace(offer, answers=answers, ended=reason, by=(seat,))
    return msgspec.structs.replace(offer, answers=answers, agreed=all(answers))


def expired(offer: Offer, now: int) -> Offer:
    if offer.settled or now < offer.deadline:
        return offer
    silent = tuple(i for i, answer in enumerate(offer.answers) if answer is None)
    return msgspec.structs.replace(offer, ended="timeout", by=silent)


# -- with Redis ----------------------------------------------------------------------------------


async def get(match_id: str) -> Offer | None:
    return await states.read(f"again:{match_id}", Offer)


async def open_offer(plan: Plan, outcome: Outcome) -> Offer:
    """Ask everybody; the same offer when it is open already. Only for matches with a result."""
    offer = first_offer(plan, outcome, await now_ms(), new_id())
    async with redis().pipeline(transaction=True) as pipe:
        # First, so that an offer is never without its end.
        pipe.zadd(named("due"), {f"again:{plan.match}": offer.deadline}, nx=True)
        # A player who left before the end is known at once.
        for seat in plan.seats:
            if seat.kind in PEOPLE and seat.identity and not seat.text:
                pipe.zadd(named("due"), {f"away:{seat.identity}": offer.deadline - ANSWER_MS})
        for identity in plan.identities:
            pipe.set(named(f"again-of:{identity}"), plan.match, px=KEEP_MS)
        await pipe.execute()
    stored = await states.change(
        f"again:{plan.match}", Offer, lambda old: (old or offer, None), ttl_ms=KEEP_MS
    )
    if stored == offer:
        await _tell(offer)
    return stored


async def answer(match_id: str, seat: int, yes: bool, reason: str = "declined") -> Offer:
    """This seat wants to play again, or not; raises LobbyError when there is nothing to answer.

    Returns the offer as it then stands: settled or still open. Answering again is harmless.
    """
    offer = await get(match_id) or await _open_early(match_id)
    if not 0 <= seat < len(offer.answers):
        raise LobbyError("no_rematch")
    if yes:
        await maintenance.refuse_when_closed()
    return await _take(match_id, lambda old, now: answered(old, seat, yes, now, reason))


async def answer_as(match_id: str, identity: str, yes: bool, reason: str = "declined") -> Offer:
    """`answer` for the seat of this identity."""
    offer = await get(match_id) or await _open_early(match_id, identity)
    seat = offer.seat_of(identity)
    if seat is None:
        raise LobbyError("no_rematch")
    return await answer(match_id, seat, yes, reason)


async def withdraw(identity: str, reason: str = "left") -> None:
    """This player went away: to a queue, another match, or off the site."""
    raw = await redis().getdel(named(f"again-of:{identity}"))
    if raw is None:
        return
    offer = await get(raw.decode())
    seat = None if offer is None or offer.settled else offer.seat_of(identity)
    if seat is not None:
        await answer(raw.decode(), seat, False, reason)


async def away(identity: str) -> None:
    """A page of this player was closed; another one may be open, or come in a moment."""
    due = await now_ms() + AWAY_MS
    await redis().zadd(named("due"), {f"away:{identity}": due})


async def leave_if_away(identity: str) -> None:
    """Called by the sweep of due states."""
    if not await presence.online([identity], await now_ms()):
        await withdraw(identity, "left")


async def follow(match_id: str, every: float = 2.0) -> AsyncIterator[Offer]:
    """The offer each time it changes, until it is settled. For text connections and bots."""
    async with notices.listening(notices.again_group(match_id)) as inbox:
        seen = None
        while True:
            offer = await get(match_id)
            if offer is not None and offer != seen:
                seen = offer
                yield offer
                if offer.settled:
                    return
            await inbox.next(every)


async def offer_for(identity: str) -> Offer | None:
    """The open offer that waits for this player, who has just come back."""
    raw = await redis().get(named(f"again-of:{identity}"))
    offer = None if raw is None else await get(raw.decode())
    return None if offer is None or offer.settled else offer


async def expire(match_id: str) -> None:
    """The time is over: called by the sweep of due states."""
    if await get(match_id) is not None:
        await _take(match_id, expired)


async def _open_early(match_id: str, identity: str | None = None) -> Offer:
    """Handle an answer that came before the worker saw that the match is over. Only players of
    the match may make the server read its whole log."""
    plan = await creation.plan_of(match_id)
    if plan is not None and identity is not None and identity not in plan.identities:
        raise LobbyError("no_rematch")
    outcome = None if plan is None else await outcomes.outcome_of(match_id)
    if plan is not None and outcome is None:
        outcome = await outcomes.outcome_in_log(match_id)
    if plan is None or outcome is None or outcome.aborted or not plan.has_rematch:
        raise LobbyError("no_rematch")
    return await open_offer(plan, outcome)


async def _take(match_id: str, step: Any) -> Offer:
    now = await now_ms()
    before: list[Offer] = []

    def change(old: Offer | None) -> tuple[Offer, Plan | None]:
        if old is None:
            raise LobbyError("no_rematch")
        before[:] = [old]
        new = step(old, now)
        return new, new.plan if new.agreed and not old.agreed else None

    name = f"again:{match_id}"
    try:
        offer = await states.change(name, Offer, change, ttl_ms=KEEP_MS)
    except states.Busy as busy:
        seat = before[0].seat_of(busy.identity) or 0
        offer = await states.change(
            name,
            Offer,
            lambda old: (answered(old or before[0], seat, False, now, "busy"), None),
            ttl_ms=KEEP_MS,
        )
    if offer != before[0]:
        await _tell(offer)
    return offer


async def _tell(offer: Offer) -> None:
    groups = [notices.again_group(offer.match)]
    groups += [notices.user_group(s.user_id) for s in offer.plan.seats if s.user_id and s.identity]
    await notices.tell(groups, offer.as_message())
