"""Django's middleware without a change of thread where it does nothing that takes time.

In an asynchronous site Django runs what a middleware does before and after each request in a
thread: twenty changes of thread per page, which cost the event loop 2 to 3 ms of CPU. These
middlewares set headers and attributes and ask nobody, so the event loop does it itself. If one of
them came to ask the database, Django would refuse that in an event loop, loudly.
"""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware


class InTheLoop:
    """`MiddlewareMixin.__acall__` without threads; named before the middleware itself."""

    async def __acall__(self: Any, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase | None = None
        if hasattr(self, "process_request"):
            response = self.process_request(request)
        response = response or await self.get_response(request)
        assert response is not None
        if hasattr(self, "process_response"):
            response = self.process_response(request, response)
        return response


class Security(InTheLoop, SecurityMiddleware):
    pass


class ContentSecurityPolicy(InTheLoop, CSPMiddleware):
    pass


class Common(InTheLoop, CommonMiddleware):
    pass


class Csrf(InTheLoop, CsrfViewMiddleware):
    pass


class Authentication(InTheLoop, AuthenticationMiddleware):
    pass


class FrameOptions(InTheLoop, XFrameOptionsMiddleware):
    pass


class Sessions(SessionMiddleware):
    """In the loop, too; a session that has to be stored is, in a thread."""

    async def __acall__(self: Any, request: HttpRequest) -> HttpResponseBase:
        self.process_request(request)
        response: HttpResponseBase = await self.get_response(request)
        if request.session.modified or settings.SESSION_SAVE_EVERY_REQUEST:
            response = await sync_to_async(self.process_response)(request, response)
        else:
            response = self.process_response(request, response)
        return response
