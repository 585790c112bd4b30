"""Who may pass where: guests at the sign-in pages, staff at the admin; and when a session was
last used. All of it only for pages: sockets and static files do not come here."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User

Handler = Callable[[HttpRequest], Awaitable[HttpResponse]]

# allauth's pages for people without an account. Everything else of it is for those who have one.
ENTRANCE: Final = frozenset(
    """
    account_login account_signup account_inactive account_email_verification_sent
    account_confirm_email account_reset_password account_reset_password_done
    account_reset_password_from_key account_reset_password_from_key_done
    mfa_authenticate mfa_login_webauthn
    """.split()
)
ALLAUTH: Final = ("account_", "mfa_")
OUT: Final = "account_logout"
SEEN_EVERY: Final = 300.0
MOST_SEEN: Final = 50_000


class _PageMiddleware:
    sync_capable = False
    async_capable = True

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        markcoroutinefunction(self)

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        return await self.get_response(request)


class GuestsAtTheEntrance(_PageMiddleware):
    """To the sign-up and sign-in pages a guest is nobody yet; `request.guest` remembers them, and
    the page shows them as ever. Pages that manage an account lead a guest to the sign-up."""

    async def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name or ""
        if not name.startswith(ALLAUTH) or name == OUT:
            return None
        user = await request.auser()
        if not user.is_authenticated or user.kind != User.Kind.GUEST:
            return None
        if name not in ENTRANCE:
            return redirect("account_signup")
        request.guest = user  # type: ignore[attr-defined]
        request.user = AnonymousUser()
        return None

    async def process_template_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        guest = getattr(request, "guest", None)
        if guest is not None and not request.user.is_authenticated:
            request.user = guest
        return response


class StaffOnly(_PageMiddleware):
    """The admin has no sign-in of its own: staff sign in like everybody, behind the same limits,
    and with a second factor (settings.STAFF_SECOND_FACTOR)."""

    async def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if "admin" not in request.resolver_match.app_names:
            return None
        user = await request.auser()
        if not user.is_authenticated or user.kind == User.Kind.GUEST:
            target = request.GET.get("next", reverse("admin:index"))
            if request.resolver_match.view_name != "admin:login":
                target = request.get_full_path()
            return redirect_to_login(target)
        if not user.is_staff:
            raise PermissionDenied
        if settings.STAFF_SECOND_FACTOR and not await _has_second_factor(user):
            messages.warning(request, _("The admin needs a second factor: please add one."))
            return redirect("mfa_index")
        return None


async def _has_second_factor(user: User) -> bool:
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    return await Authenticator.objects.filter(user_id=user.pk, type__in=kinds).aexists()


class LastSeen(_PageMiddleware):
    """Notes the use of a session, at most every five minutes per process."""

    def __init__(self, get_response: Handler) -> None:
        super().__init__(get_response)
        self._noted: dict[str, float] = {}

    async def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        key = request.session.session_key
        # Who has no cookie has no session: nothing is looked up for them.
        if not key or settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        now = time.monotonic()
        if now - self._noted.get(key, -SEEN_EVERY) < SEEN_EVERY:
            return
        user = await request.auser()
        if not user.is_authenticated:
            return
        if len(self._noted) >= MOST_SEEN:
            self._noted.clear()
        self._noted[key] = now
        at = timezone.now()
        await UserSession.objects.filter(session_key=key).aupdate(last_seen_at=at)
        await User.objects.filter(pk=user.pk).aupdate(last_seen=at)
