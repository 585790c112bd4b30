"""Ends what the code of the site keeps per event loop: connections, subscriptions, threads."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from asgiref.sync import markcoroutinefunction
from django.http import HttpRequest, HttpResponse

from games import redis as site_redis
from games.live import host as live_host
from lobby import hub, visitors
from lobby.people import watching


async def close_all() -> None:
    """Of the running event loop."""
    await visitors.close()
    await watching.close()
    await live_host.close()
    await hub.close()
    await site_redis.close()


class EndWithRequest:
    """Django's synchronous test client runs each request in an event loop of its own, which ends
    with the request: what was opened in it is closed before. An asynchronous test ends its loop
    itself."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> None:
        self.get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        is_alone = asyncio.all_tasks() == {asyncio.current_task()}
        try:
            return await self.get_response(request)
        finally:
            if is_alone:
                await close_all()
