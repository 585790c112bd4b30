"""Operations that play: queues and challenges, for the account of the token; and that account."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from ninja import Router, Status
from ninja.params.functions import Path

from accounts.requests import TokenRequest
from games import selectors
from games.api.auth import play, read_waiting
from games.api.problems import Problem
from games.api.shapes import RatingOut
from lobby import creation, playing, presence, queue, ratings
from lobby.api.shapes import AnswerIn, ChallengeIn, ChallengeOut, Me, QueueIn, TicketOut
from lobby.errors import LobbyError
from lobby.people import away
from lobby.players import Player, player_of, user_identity
from lobby.tickets import Ticket, Wish

router = Router(auth=play)
REFUSALS = {401: Problem, 403: Problem, 404: Problem, 409: Problem, 422: Problem, 429: Problem,
            400: Problem}  # fmt: skip
READ_REFUSALS = dict.fromkeys((400, 401, 403, 422, 429), Problem)
TICKET_MS = 30_000
"""A ticket lives so long after the last look at it."""
ChallengeId = Path(..., pattern=r"^[0-9a-f]{16}$")


@router.get("/me", auth=read_waiting, response={200: Me, **READ_REFUSALS}, tags=["me"])
async def me(request: TokenRequest) -> Me:
    """The account of this token."""
    token = request.auth
    user = token.user
    running = await playing.match_of(user_identity(user.pk))
    ratings = await sync_to_async(selectors.ratings_of)(user.pk)
    return Me(
        name=user.username, kind=user.kind, scopes=token.scopes, match=running,
        ratings=[RatingOut.of(row) for row in ratings],
    )  # fmt: skip


@router.post("/queue", response={200: TicketOut, **REFUSALS}, tags=["queue"])
async def join_queue(request: TokenRequest, wanted: QueueIn) -> TicketOut:
    """Wait for a match. Look at it (GET) at least every 30 seconds, or the place is lost."""
    player = await _player(request)
    wishes = [Wish(**wish.dict()) for wish in wanted.wishes]
    joined = await queue.join(
        player, wishes, bots="now" if wanted.bot else "never", ttl_ms=TICKET_MS
    )
    return _ticket(joined)


@router.get("/queue", response={200: TicketOut, **REFUSALS}, tags=["queue"])
async def look_at_queue(request: TokenRequest, ticket: str = "") -> TicketOut:
    """The place in the queue, or the match once there is one. With `ticket`, which joining gave,
    also what became of it since."""
    player = await _player(request)
    current = await queue.ticket_of(player.identity)
    if current is not None:
        await queue.refresh(current.id)
        return _ticket(current)
    matched = await queue.result(ticket) if ticket.isascii() and ticket.isalnum() else None
    if matched is not None and matched.identity != player.identity:
        matched = None  # another player's ticket
    if matched is not None and matched.failed:
        raise LobbyError(matched.failed)
    if matched is not None:
        return _seat(ticket, matched.match, matched.seat)
    plan = await creation.plan_of(await playing.match_of(player.identity) or "")
    if plan is None:
        raise LobbyError("not_queued")
    if await creation.is_pending(plan.match):
        return _seat(ticket)
    return _seat(ticket, plan.match, plan.seat_of(player.identity))


@router.delete("/queue", response={204: None, **REFUSALS}, tags=["queue"])
async def leave_queue(request: TokenRequest) -> Status[None]:
    """Leave the queue. Harmless if you aren't in one."""
    player = await _player(request)
    current = await queue.ticket_of(player.identity)
    if current is not None:
        await queue.leave(current.id)
    return Status(204, None)


@router.get("/challenges", response={200: list[ChallengeOut], **REFUSALS}, tags=["challenges"])
async def list_challenges(request: TokenRequest) -> list[ChallengeOut]:
    """Open challenges, received and sent."""
    player = await _player(request)
    return [_challenge(found) for found in await away.open_for(player)]


@router.post("/challenges", response={200: ChallengeOut, **REFUSALS}, tags=["challenges"])
async def challenge(request: TokenRequest, wanted: ChallengeIn) -> ChallengeOut:
    """Ask a player by name for a match of two. With `keep`, the challenge waits a day for a player
    who is away."""
    player = await _player(request)
    sent = await away.send(
        player, wanted.opponent, wanted.mode, wanted.options, wanted.rated, wanted.keep
    )
    return _challenge(sent)


@router.get(
    "/challenges/{challenge_id}", response={200: ChallengeOut, **REFUSALS}, tags=["challenges"]
)
async def look_at_challenge(request: TokenRequest, challenge_id: str = ChallengeId) -> ChallengeOut:
    """A challenge that was sent or received, for some minutes after its end too: an accepted one
    has its match."""
    player = await _player(request)
    return _challenge(await away.of(player, challenge_id))


@router.post(
    "/challenges/{challenge_id}", response={200: ChallengeOut, **REFUSALS}, tags=["challenges"]
)
async def answer_challenge(
    request: TokenRequest, answer: AnswerIn, challenge_id: str = ChallengeId
) -> ChallengeOut:
    """Accept or decline a challenge that was received."""
    player = await _player(request)
    return _challenge(await away.answer(player, challenge_id, answer.accept))


@router.delete(
    "/challenges/{challenge_id}", response={200: ChallengeOut, **REFUSALS}, tags=["challenges"]
)
async def cancel_challenge(request: TokenRequest, challenge_id: str = ChallengeId) -> ChallengeOut:
    """Take a challenge back that was sent."""
    player = await _player(request)
    return _challenge(await away.cancel(player, challenge_id))


async def _player(request: TokenRequest) -> Player:
    """The player whose token this is; the request marks them as online."""
    token = request.auth
    player = player_of(token.user, ratings=await ratings.of_user(token.user_id))
    await presence.seen(player)
    return player


def _ticket(ticket: Ticket) -> TicketOut:
    return TicketOut(ticket=ticket.id, queues=list(ticket.queues), waiting_since=ticket.queued_at)


def _seat(ticket: str, match: str | None = None, seat: int | None = None) -> TicketOut:
    """The ticket of a player who has left the queue for a match. While `match` is None, the match
    is about to begin: the client asks again."""
    return TicketOut(ticket=ticket, queues=[], waiting_since=0, match=match, seat=seat)


def _challenge(message: dict[str, Any]) -> ChallengeOut:
    return ChallengeOut(
        id=message["id"], status=message["status"], mode=message["mode"], rated=message["rated"],
        by=message["from"], to=message["to"], match=message["match"], kept=message["kept"],
    )  # fmt: skip
