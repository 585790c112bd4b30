"""Request ids for the logs, and a measurement of each request."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable

from django.http import HttpRequest, HttpResponse
from django.utils.decorators import async_only_middleware

from games.live.log_context import request_id as current_request
from minesite.metrics import REQUESTS, SECONDS

Handler = Callable[[HttpRequest], Awaitable[HttpResponse]]

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")


@async_only_middleware
def request_id(get_response: Handler) -> Handler:
    """Every request has an id, from the proxy's X-Request-ID or new; the answer repeats it."""

    async def handle(request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        name = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
        token = current_request.set(name)
        try:
            response = await get_response(request)
        finally:
            current_request.reset(token)
        response["X-Request-ID"] = name
        return response

    return handle


@async_only_middleware
def measure(get_response: Handler) -> Handler:
    """Counts requests and seconds by address pattern (never by address: those are endless)."""

    async def handle(request: HttpRequest) -> HttpResponse:
        begin = time.perf_counter()
        response = await get_response(request)
        match = request.resolver_match
        route = match.route if match else "none"
        REQUESTS.labels(request.method, route, str(response.status_code)).inc()
        SECONDS.labels(route).observe(time.perf_counter() - begin)
        return response

    return handle
