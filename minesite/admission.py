"""Limits per client address: requests a second, and open WebSockets and event streams. The
outermost layer of the site, which knows the client's own address behind a trusted proxy too."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Any, Final

from django.urls import reverse

from games.live.lane.link import EXTENSION
from games.rate_limit import Bucket
from minesite.metrics import REFUSED

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

FILES: Final = 10
"""So many static files count as one request: a page has dozens, and each costs little."""
AT_ONCE: Final = 4
"""Pages that are made at a time for one address; the next ones wait for their turn, so that a burst
of requests does not delay others' moves."""
HASTY: Final = 3.0
"""Seconds' worth of requests, asked for at once, that are answered without pauses. From then on an
address gets one page after another, at the pace of its rate: between two of them others' moves have
the process for themselves."""
REFUSED_AFTER: Final = 1.0
"""Seconds that a refusal takes: a client that asks again and again costs little."""
FORGET_EVERY: Final = 10_000
"""Requests between two looks for addresses that have been quiet."""

SLOW_DOWN = 429, b"Too many requests from your address. Slow down.\n"
TOO_MANY = 503, b"Too many open connections from your address.\n"


@cache
def stream_address() -> str:
    """Its answers have no end: they count as open sockets, not as pages that are being made."""
    return reverse("api:event_stream")


def place(client: tuple[str, int] | None) -> str:
    """The unit of counting: an IPv4 address, or an IPv6 network, as each of those has many."""
    host = client[0] if client else ""
    if ":" not in host:
        return host
    try:
        number = int(IPv6Address(host.partition("%")[0]))
    except ValueError:
        return host
    return str(ip_address(number >> 64 << 64))


class Admission:
    def __init__(
        self,
        application: Application,
        requests_per_second: float,
        sockets: int,
        static_url: str = "/static/",
        clock: Callable[[], float] = monotonic,
        refused_after: float = REFUSED_AFTER,
        pause: float | None = None,
    ) -> None:
        """Ten seconds' worth of requests may come at once. 0 requests per second: no limit.
        `pause`: seconds after a page of a hasty address; by default those that the rate allows."""
        self._application = application
        self._rate = requests_per_second
        self._most_sockets = sockets
        self._static_url = static_url
        self._clock = clock
        self._refused_after = refused_after
        self._pause = 1 / (requests_per_second or 1) if pause is None else pause
        self._buckets: dict[tuple[str, bool], Bucket] = {}
        self._pages: dict[str, tuple[asyncio.Semaphore, asyncio.Lock]] = {}
        self._until_look = FORGET_EVERY
        self.sockets: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        address = place(scope.get("client"))
        is_file = scope["path"].startswith(self._static_url)
        is_page = kind == "http" and scope["path"] != stream_address()
        if not self._has_turn(address, is_file):
            await asyncio.sleep(self._refused_after)
            await _refuse(scope, send, *SLOW_DOWN)
        elif is_page and (is_file or not self._rate):
            await self._application(scope, receive, send)
        elif is_page:
            await self._serve_page(address, scope, receive, send)
        elif self.sockets[address] >= self._most_sockets:
            await _refuse(scope, send, *TOO_MANY)
        else:
            await self._serve_socket(address, scope, receive, send)

    async def _serve_page(
        self, address: str, scope: dict[str, Any], receive: Any, send: Any
    ) -> None:
        pages = self._pages.get(address)
        if pages is None:
            pages = self._pages[address] = asyncio.Semaphore(AT_ONCE), asyncio.Lock()
        places, alone = pages
        async with places:
            if not self._is_hasty(address):
                await self._application(scope, receive, send)
                return
            async with alone:
                await self._application(scope, receive, send)
                await asyncio.sleep(self._pause)

    async def _serve_socket(
        self, address: str, scope: dict[str, Any], receive: Any, send: Any
    ) -> None:
        self.sockets[address] += 1

        def leave() -> None:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

        try:
            await self._application(scope, receive, send)
        finally:
            # On the lane the connection may live on without the application.
            lane = (scope.get("extensions") or {}).get(EXTENSION)
            if lane is None:
                leave()
            else:
                lane.when_lost(leave)

    def _is_hasty(self, address: str) -> bool:
        bucket = self._buckets.get((address, False))
        return bucket is not None and bucket.seconds_to_full(self._clock()) > HASTY

    def _has_turn(self, address: str, is_file: bool) -> bool:
        if not self._rate:
            return True
        now = self._clock()
        self._until_look -= 1
        if self._until_look < 0:
            self._until_look = FORGET_EVERY
            self._buckets = {k: b for k, b in self._buckets.items() if b.seconds_to_full(now) > 0}
            self._pages = {a: pages for a, pages in self._pages.items() if pages[0].locked()}
        bucket = self._buckets.get((address, is_file))
        if bucket is None:
            rate = self._rate * (FILES if is_file else 1)
            bucket = self._buckets[address, is_file] = Bucket(rate, rate * 10, now)
        return bucket.take(now)


async def _refuse(scope: dict[str, Any], send: Any, status: int, text: bytes) -> None:
    REFUSED.labels(str(status)).inc()
    prefix = "http"
    if scope["type"] == "websocket":
        if "websocket.http.response" not in (scope.get("extensions") or {}):
            await send({"type": "websocket.close"})
            return
        prefix = "websocket.http"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(text)),
        (b"retry-after", b"10"),
        (b"connection", b"close"),
    ]
    await send({"type": f"{prefix}.response.start", "status": status, "headers": headers})
    await send({"type": f"{prefix}.response.body", "body": text})
