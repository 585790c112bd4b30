"""The application that the lane's tests talk to, served by several servers.

A socket's path says what the application does with it; what happened is told by
`GET /journal/<name>`, where the name is the socket's query string.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from typing import Any

from games.live.lane import Limits, Link, open_link, plain

journal: defaultdict[str, list[Any]] = defaultdict(list)
released: defaultdict[str, asyncio.Event] = defaultdict(asyncio.Event)

BIG = 9_000

# Servers that say nothing after a close of ours are waited for: in many tests, and not for long.
plain.CLOSE_PATIENCE = 0.5


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await socket(scope, receive, send)
    elif scope["type"] == "http":
        await page(scope, send)


async def page(scope: Any, send: Any) -> None:
    _, what, name = scope["path"].split("/")
    if what == "release":
        released[name].set()
    body = json.dumps(journal[name]).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


async def socket(scope: Any, receive: Any, send: Any) -> None:
    name, what = scope["query_string"].decode(), scope["path"].strip("/")
    assert (await receive())["type"] == "websocket.connect"
    if what in ASGI_APPS:
        await ASGI_APPS[what](scope, receive, send, name)
        return
    await send({"type": "websocket.accept"})
    if what == "late":
        await released[name].wait()
    limits = {
        "idle": Limits(idle=0.4),
        "narrow": Limits(buffered=64 * 1024),
        "wide": Limits(message=100_000, buffered=10_000_000),
    }.get(what, Limits())
    handler = Handler(name, what)
    handler.link = open_link(
        scope, receive, send, handler.on_message, handler.on_close, limits=limits
    )
    handler.opened = True
    if what == "greet":
        handler.link.send(b"first")
    if what == "detach":
        await handler.link.detached()
        journal[name].append("returned")
        return
    await handler.link.finished()
    journal[name].append("finished")


class Handler:
    """Echoes, and obeys a few words."""

    link: Link

    def __init__(self, name: str, what: str) -> None:
        self.name = name
        self.what = what
        self.opened = False

    def on_message(self, data: bytes) -> None:
        assert self.opened, "a message before open_link returned"
        if data == b"close":
            self.link.close(4321, "enough")
            self.link.close(4999, "twice")
            self.link.send(b"after the close")
        elif data == b"fail":
            raise ValueError("a handler that fails")
        elif data == b"buffered":
            self.link.send(str(self.link.buffered).encode())
        elif data == b"many big":
            for number in range(10):
                self.link.send(b"%d" % number * (BIG * (number + 1)))
        elif data == b"flood":
            for _ in range(1000):
                self.link.send(b"x" * 50_000)
            journal[self.name].append("flooded")
        else:
            journal[self.name].append(data.decode("latin-1"))
            self.link.send(data)

    def on_close(self, code: int, reason: str) -> None:
        journal[self.name].append([code, reason])


# ------------------------------------------------------------------ plain ASGI sockets


async def echo(scope: Any, receive: Any, send: Any, name: str) -> None:
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        await send({**event, "type": "websocket.send"})
    journal[name].append([event["code"], event.get("reason")])


async def deny(scope: Any, receive: Any, send: Any, name: str) -> None:
    await send({"type": "websocket.close"})


async def teapot(scope: Any, receive: Any, send: Any, name: str) -> None:
    headers = [(b"x-kind", b"tea"), (b"content-type", b"text/tea")]
    await send({"type": "websocket.http.response.start", "status": 418, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": b"I am ", "more_body": True})
    await send({"type": "websocket.http.response.body", "body": b"a teapot"})


async def fail_early(scope: Any, receive: Any, send: Any, name: str) -> None:
    raise ValueError("an application that fails before it accepts")


async def leave_early(scope: Any, receive: Any, send: Any, name: str) -> None:
    return


async def fail_late(scope: Any, receive: Any, send: Any, name: str) -> None:
    await send({"type": "websocket.accept"})
    await receive()
    raise ValueError("an application that fails after it accepted")


async def leave_late(scope: Any, receive: Any, send: Any, name: str) -> None:
    await send({"type": "websocket.accept"})
    await receive()


async def dress(scope: Any, receive: Any, send: Any, name: str) -> None:
    headers = [(b"x-colour", b"green")]
    subprotocol = scope["subprotocols"][-1]
    await send({"type": "websocket.accept", "subprotocol": subprotocol, "headers": headers})
    shown = {
        key: scope[key].decode() if isinstance(scope[key], bytes) else scope[key]
        for key in ("path", "raw_path", "query_string", "subprotocols", "http_version", "scheme")
    }
    shown["cookie"] = dict(scope["headers"])[b"cookie"].decode()
    await send({"type": "websocket.send", "text": json.dumps(shown)})
    await receive()


async def leave_word(scope: Any, receive: Any, send: Any, name: str) -> None:
    await send({"type": "websocket.accept"})
    await receive()
    await send({"type": "websocket.close", "code": 4567, "reason": "gründlich"})
    event = await receive()
    journal[name].append([event["type"], event["code"]])


async def pour(scope: Any, receive: Any, send: Any, name: str) -> None:
    """Sends far more than fits into the buffers; notes how far it came."""
    await send({"type": "websocket.accept"})
    for number in range(400):
        journal[name] = [number]
        await send({"type": "websocket.send", "bytes": bytes(50_000)})
    await receive()


async def reluctant(scope: Any, receive: Any, send: Any, name: str) -> None:
    """Accepts only when told to; notes a client that did not wait."""
    journal[name].append("asked")
    await released[name].wait()
    try:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": (await receive())["text"]})
    except OSError:
        journal[name].append("gone")
        journal[name].append((await receive())["type"])


ASGI_APPS = {
    "echo": echo,
    "deny": deny,
    "teapot": teapot,
    "fail-early": fail_early,
    "leave-early": leave_early,
    "fail-late": fail_late,
    "leave-late": leave_late,
    "dress": dress,
    "leave-word": leave_word,
    "pour": pour,
    "reluctant": reluctant,
}
