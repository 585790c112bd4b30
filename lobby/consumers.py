"""`/ws/lobby/`: authorises a page's socket and hands it over."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from django.urls import reverse

from accounts.models import User
from games.access import BadToken, Identity, identify
from games.live.lane import open_link
from lobby import protocol
from lobby.errors import LobbyError
from lobby.players import Player, player_of
from lobby.socket import CLOSE_FORBIDDEN, LIMITS, LobbySocket


async def lobby_consumer(
    scope: MutableMapping[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
) -> None:
    """The ASGI application behind the address; `scope` comes from Channels' stack."""
    await receive()  # websocket.connect
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    try:
        who, player = await _visitor(scope, anonymous=asked.get("anonymous") == ["1"])
    except LobbyError as error:
        text = protocol.encode({"type": "error", **error.as_json()}).decode()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": text})
        await send({"type": "websocket.close", "code": CLOSE_FORBIDDEN})
        return
    await send({"type": "websocket.accept"})
    address = (scope.get("client") or ("",))[0]
    socket = LobbySocket(who, player, asked.get("counts") != ["0"], address)
    await socket.serve(open_link(scope, receive, send, socket.on_message, socket.on_close, LIMITS))


async def _visitor(
    scope: MutableMapping[str, Any], anonymous: bool
) -> tuple[Identity, Player | None]:
    """The player who connects; raises LobbyError. Visitors without an account must ask for it."""
    try:
        who = await identify(scope)
    except BadToken:
        raise LobbyError("bad_token") from None
    if who.user_id is None and anonymous:
        return who, None
    # The session's user was read for this handshake; a token names one.
    user = scope["user"]
    if who.token_id and who.user_id:
        user = await User.objects.filter(pk=who.user_id).afirst()
    if who.user_id is None or user is None or not user.is_active:
        raise LobbyError("sign_in_first", guest_url=reverse("accounts:guest"))
    return who, player_of(user)
