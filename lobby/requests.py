"""Requests of a page to the lobby: each calls one service. No rule is in here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from msgspec.structs import replace

from lobby import (
    blocks,
    board,
    creation,
    invitations,
    matchmaker,
    notices,
    protocol,
    queue,
    ratings,
    rematch,
    solo,
)
from lobby.chat import reporting, speaking
from lobby.chat.hearing import Hearing
from lobby.errors import LobbyError
from lobby.people import away, follows, invites
from lobby.players import Player
from lobby.tickets import Matched, Ticket
from lobby.tournaments import feed


class Page(Protocol):
    """The socket that asks, and how it is answered."""

    player: Player | None
    may_play: bool
    address: str
    """The client's, as the proxy tells it."""

    @property
    def hearing(self) -> Hearing: ...

    def say(self, message: dict[str, Any]) -> None: ...

    def tell_queued(self, ticket: Ticket) -> None: ...

    def watch(self, on: bool) -> None: ...

    def follow(self, address: str | None) -> None: ...
    async def watch_people(self, on: bool) -> None: ...


def may_take_long(message: protocol.Client) -> bool:
    """True when the request waits for a new board: it must not hold up other requests."""
    return isinstance(message, protocol.Solo | protocol.Challenge | protocol.Invite)


async def carry_out(page: Page, message: protocol.Client) -> None:
    """Raises LobbyError when the request is refused. A token for reading, or a visitor without an
    account, may only watch."""
    if type(message) is protocol.Watch:
        page.watch(message.on)
        if message.on:
            page.say(await board.last(board.MATCHES) or {"type": "matches", "live": []})
    elif type(message) is protocol.FollowTournament:
        await _follow_tournament(page, message)
    elif page.player is None:
        raise LobbyError("sign_in_first")
    elif not page.may_play:
        raise LobbyError("read_only_token")
    else:
        await _SERVICES[type(message)](page, page.player, message)


async def _follow_tournament(page: Page, message: protocol.FollowTournament) -> None:
    """A page follows one tournament at a time; it first hears the whole standings."""
    page.follow(None)
    if message.on:
        known = await feed.last(message.id)  # raises LobbyError
        page.follow(feed.address_of(message.id))
        page.say(known)


async def _queue(page: Page, player: Player, message: protocol.Queue) -> None:
    wishes = [wish.wish() for wish in message.wishes]
    known = replace(player, ratings=await ratings.of_user(player.user_id))
    page.tell_queued(await queue.join(known, wishes, bots="now" if message.bot else "ask"))
    if message.bot:
        await matchmaker.wake()


async def _unqueue(page: Page, player: Player, message: protocol.Unqueue) -> None:
    await queue.leave((await _ticket(player)).id)


async def _bot(page: Page, player: Player, message: protocol.Bot) -> None:
    page.tell_queued(await queue.accept_bot((await _ticket(player)).id))
    await matchmaker.wake()


async def _ticket(player: Player) -> Ticket:
    ticket = (await queue.held_by_pages([player.identity])).get(player.identity)
    if ticket is None:
        raise LobbyError("not_queued")
    return ticket


async def _again(page: Page, player: Player, message: protocol.Again) -> None:
    before = await rematch.get(message.match)
    offer = await rematch.answer_as(message.match, player.identity, message.yes)
    if offer == before:
        page.say(offer.as_message())


async def _challenge(page: Page, player: Player, message: protocol.Challenge) -> None:
    await away.send(player, message.to, message.mode, message.options, message.rated, message.keep)


async def _answer(page: Page, player: Player, message: protocol.ChallengeAnswer) -> None:
    await away.answer(player, message.id, message.yes)


async def _cancel(page: Page, player: Player, message: protocol.ChallengeCancel) -> None:
    await away.cancel(player, message.id)


async def _invite(page: Page, player: Player, message: protocol.Invite) -> None:
    await invitations.create(player, message.mode, message.options, message.size)


async def _take_seat(page: Page, player: Player, message: protocol.InviteTake) -> None:
    before = await invitations.get(message.token)
    after = await invitations.take(player, message.token)
    if after == before:
        page.say(after.as_message())


async def _leave_seat(page: Page, player: Player, message: protocol.InviteLeave) -> None:
    await invitations.leave(player, message.token)


async def _solo(page: Page, player: Player, message: protocol.Solo) -> None:
    mode = message.mode or solo.usual_mode()
    match_id = await solo.start(player, message.options, mode, address=page.address)
    me = {"name": player.name, "kind": player.kind}
    seat = Matched(ticket="", match=match_id, mode=mode, players=(me,), source="solo")
    page.say(creation.matched_message(seat))


async def _block(page: Page, player: Player, message: protocol.Block) -> None:
    await blocks.block(player.user_id or 0, message.name)
    await page.hearing.look_again()
    await _say_blocks(page, player)


async def _unblock(page: Page, player: Player, message: protocol.Unblock) -> None:
    await blocks.unblock(player.user_id or 0, message.name)
    await page.hearing.look_again()
    await _say_blocks(page, player)


async def _say_blocks(page: Page, player: Player) -> None:
    page.say({"type": "blocks", "names": await blocks.names(player.user_id or 0)})


async def _invite_call(page: Page, player: Player, message: protocol.InviteCall) -> None:
    name = await invites.call(player, message.token, message.name)
    page.say({"type": "called", "token": message.token, "name": name})


async def _follow(page: Page, player: Player, message: protocol.Follow) -> None:
    name = await follows.follow(player.user_id or 0, message.name)
    page.say({"type": "following", "name": name, "on": True})


async def _unfollow(page: Page, player: Player, message: protocol.Unfollow) -> None:
    name = await follows.unfollow(player.user_id or 0, message.name)
    page.say({"type": "following", "name": name, "on": False})


async def _people(page: Page, player: Player, message: protocol.People) -> None:
    await page.watch_people(message.on)


async def _open_chat(page: Page, player: Player, message: protocol.ChatOpen) -> None:
    await page.hearing.open(message.room)


async def _close_chat(page: Page, player: Player, message: protocol.ChatClose) -> None:
    if not page.hearing.close(message.room):
        raise LobbyError("no_such_room")


async def _chat(page: Page, player: Player, message: protocol.Chat) -> None:
    # The writer hears it here, whether or not this page has opened the room.
    page.say(await speaking.say(player, message.room, message.key, message.phrase, message.text))


async def _mute_in_chat(page: Page, player: Player, message: protocol.ChatMute) -> None:
    user_id = player.user_id or 0
    names = await speaking.mute(user_id, message.name, message.on)
    await page.hearing.look_again()
    # All pages of this player drop what they show of the other.
    await notices.tell(notices.user_group(user_id), {"type": "chat_muted", "names": names})


async def _report_chat(page: Page, player: Player, message: protocol.ChatReport) -> None:
    await reporting.report(player, message.line)
    page.say({"type": "chat_reported", "line": message.line})


_SERVICES: Final[dict[type, Callable[[Page, Player, Any], Awaitable[None]]]] = {
    protocol.Queue: _queue,
    protocol.Unqueue: _unqueue,
    protocol.Bot: _bot,
    protocol.Again: _again,
    protocol.Challenge: _challenge,
    protocol.ChallengeAnswer: _answer,
    protocol.ChallengeCancel: _cancel,
    protocol.Invite: _invite,
    protocol.InviteTake: _take_seat,
    protocol.InviteLeave: _leave_seat,
    protocol.Solo: _solo,
    protocol.Block: _block,
    protocol.Unblock: _unblock,
    protocol.InviteCall: _invite_call,
    protocol.Follow: _follow,
    protocol.Unfollow: _unfollow,
    protocol.People: _people,
    protocol.ChatOpen: _open_chat,
    protocol.ChatClose: _close_chat,
    protocol.Chat: _chat,
    protocol.ChatMute: _mute_in_chat,
    protocol.ChatReport: _report_chat,
}
