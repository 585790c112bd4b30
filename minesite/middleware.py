"""Request ids for the logs, static files, and a measurement of each request."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable

from asgiref.sync import markcoroutinefunction
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.decorators import async_only_middleware
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from games.log_context import request_id as current_request
from minesite.metrics import REQUESTS, SECONDS

Handler = Callable[[HttpRequest], Awaitable[HttpResponse]]

_WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{8,64}")


@async_only_middleware
def request_id(get_response: Handler) -> Handler:
    """Every request has an id, from the proxy's X-Request-ID or new; the answer repeats it. TRACE,
    for which nobody has a use, goes no further."""

    async def handle(request: HttpRequest) -> HttpResponse:
        if request.method == "TRACE":
            return HttpResponseNotAllowed(["GET", "HEAD", "OPTIONS", "POST"])
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


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise without a change of thread per request: its files are small and few, so they are
    answered whole, in the event loop."""

    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Handler) -> None:
        super().__init__(get_response)
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        find = self.find_file if self.autorefresh else self.files.get
        static_file = find(request.path_info)
        if static_file is None:
            response: HttpResponse = await self.get_response(request)
            return response
        return self.serve(static_file, request)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        content = b""
        if found.file is not None:
            with found.file as file:
                content = file.read()
        response = HttpResponse(content, status=int(found.status))
        del response["Content-Type"]
        for name, value in found.headers:
            response[name] = value
        return response


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
