"""`open_link` and `attach`: how an application takes a socket over, whatever server is below.

Under a server with the lane (`protocol.py`) messages bypass the ASGI machinery; under any other
ASGI server the same interface runs on ASGI events (`plain.py`).
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from games.live.lane.link import (
    EXTENSION,
    MATCH_LIMITS,
    Lane,
    Limits,
    Link,
    OnClose,
    OnMessage,
    Receive,
    Send,
)
from games.live.lane.plain import PlainLink


def open_link(
    scope: MutableMapping[str, Any],
    receive: Receive,
    send: Send,
    on_message: OnMessage,
    on_close: OnClose,
    limits: Limits = MATCH_LIMITS,
) -> Link:
    """Take over a socket for which `websocket.accept` was sent.

        await send({"type": "websocket.accept"})
        link = open_link(scope, receive, send, self.on_message, self.on_close)
        await link.finished()  # or link.detached(), which needs less memory

    `on_message(data)` is called once per message, text or binary, in order, never before this
    function has returned; messages that arrived since `accept` are not lost. An exception in it is
    logged and closes the socket with 1011.

    `on_close(code, reason)` is called exactly once, last: with the client's code if the client
    closed (1005: it gave none), with ours if we did, 1006 if the connection broke.
    """
    return attach(scope, on_message, on_close, limits) or PlainLink(
        receive, send, on_message, on_close, limits
    )


def attach(
    scope: MutableMapping[str, Any],
    on_message: OnMessage,
    on_close: OnClose,
    limits: Limits = MATCH_LIMITS,
) -> Link | None:
    """The same for a consumer, which receives events by itself; None: this server has no lane."""
    lane: Lane | None = (scope.get("extensions") or {}).get(EXTENSION)
    return None if lane is None else lane.attach(on_message, on_close, limits)
