"""`/ws/match/<id>/`: authorises the client and connects its socket to the match."""

from __future__ import annotations

from typing import Any

from channels.consumer import AsyncConsumer
from channels.exceptions import StopConsumer

from games import log_context
from games.access import BadToken, identify
from games.live.host import host
from games.live.lane import PlainLink, attach
from games.live.protocol import Close
from games.live.socket import LIMITS, MatchSocket


class MatchConsumer(AsyncConsumer):
    """On a server with a fast lane the socket takes the connection over and the consumer ends;
    elsewhere the consumer hands it the events."""

    channel_layer_alias = ""  # none: nothing of a match goes through the channel layer
    link: PlainLink | None = None

    async def websocket_connect(self, event: dict[str, Any]) -> None:
        match_id = self.scope["url_route"]["kwargs"]["match_id"]
        log_context.match_id.set(match_id)  # for the log lines of this socket's task
        try:
            who = await identify(self.scope)
        except BadToken:
            await self.send({"type": "websocket.close", "code": Close.NO_ACCESS})
            raise StopConsumer from None
        socket = MatchSocket(host(), match_id, who)
        await self.send({"type": "websocket.accept"})
        taken_over = attach(self.scope, socket.on_message, socket.on_close, LIMITS)
        if taken_over is not None:
            socket.open(taken_over)
            await taken_over.detached()
            raise StopConsumer
        self.link = PlainLink(None, self.send, socket.on_message, socket.on_close, LIMITS)
        socket.open(self.link)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Messages of the client need none of Channels' care for database connections."""
        if message["type"] == "websocket.receive" and self.link is not None:
            self.link.feed(message)
        else:
            await super().dispatch(message)

    async def websocket_disconnect(self, event: dict[str, Any]) -> None:
        if self.link is not None:
            self.link.feed(event)
        raise StopConsumer
