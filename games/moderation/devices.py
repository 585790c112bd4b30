"""Finds accounts that share a browser.

At sign-in, of guests too, a browser gets a random first-party cookie. The site stores its keyed
hash: without the site's secret nobody can tell which browser it was, and no property of the device
is looked at."""

from __future__ import annotations

import secrets
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games.moderation.models import DeviceSeen

COOKIE = "device"
MAX_AGE = 2 * 365 * 24 * 3600
LENGTH = 43


def device_hash(mark: str) -> str:
    return salted_hmac("games.device", mark, algorithm="sha256").hexdigest()


@receiver(user_logged_in, dispatch_uid="games.device_seen")
def seen(sender: Any, request: HttpRequest, user: Any, **kwargs: Any) -> None:
    mark = request.COOKIES.get(COOKIE, "")
    if len(mark) != LENGTH:
        mark = secrets.token_urlsafe(32)
    request.device_mark = mark  # type: ignore[attr-defined]  # read when the response is made
    DeviceSeen.objects.update_or_create(
        user_id=user.pk, device_hash=device_hash(mark), defaults={"last_seen": timezone.now()}
    )


class RememberDevice:
    """Middleware: the cookie leaves with the answer to a sign-in."""

    async_capable = sync_capable = True

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        if self.is_async:
            return self.later(request)
        return self.marked(request, self.get_response(request))

    async def later(self, request: HttpRequest) -> HttpResponse:
        return self.marked(request, await self.get_response(request))

    def marked(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        mark = getattr(request, "device_mark", None)
        if mark is not None:
            response.set_cookie(
                COOKIE,
                mark,
                max_age=MAX_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
