"""Access checks: guests at the sign-in pages, staff at the admin; and when a session was
last used. All of it only for pages: sockets and static files do not come here."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from asgiref.sync import markcoroutinefunction
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
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
ADDS_SECOND_FACTOR: Final = frozenset({"mfa_activate_totp", "mfa_add_webauthn"})
WANTED_ADMIN_PAGE: Final = "wanted_admin_page"
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


class ReadableNext(_PageMiddleware):
    """Refuses a `next` that is no address with 400, before allauth takes it apart."""

    async def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        asked = [request.GET.get("next", "")]
        if request.method == "POST" and (name or "").startswith(ALLAUTH):
            asked.append(request.POST.get("next", ""))
        for address in asked:
            try:
                urlsplit(address)
            except ValueError:
                raise BadRequest("The address in `next` is not valid.") from None


class GuestsAtTheEntrance(_PageMiddleware):
    """The sign-up and sign-in pages treat a guest as anonymous; `request.guest` keeps the account,
    and the page shows it as ever. Pages that manage an account lead a guest to the sign-up."""

    async def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        name = (request.resolver_match and request.resolver_match.view_name) or ""
        if not name.startswith(ALLAUTH) or name == OUT:
            return None
        user = await request.auser()
        if not user.is_authenticated or user.kind != User.Kind.GUEST:
            return None
        if name not in ENTRANCE:
            return redirect("account_signup")
        request.guest = user  # type: ignore[attr-defined]  # for the views of `ENTRANCE`
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
    and with a second factor (settings.STAFF_SECOND_FACTOR). Once they have set it up they return to
    the page of the admin that they came for."""

    async def __call__(self, request: HttpRequest) -> HttpResponse:
        response = await self.get_response(request)
        match = request.resolver_match
        added = match is not None and match.view_name in ADDS_SECOND_FACTOR
        if not added or request.method != "POST" or response.status_code != 302:
            return response
        wanted, user = await request.session.apop(WANTED_ADMIN_PAGE, None), await request.auser()
        if not wanted or not isinstance(user, User) or not await _has_second_factor(user):
            return response
        codes = format_html(
            '<a href="{}">{}</a>', reverse("mfa_view_recovery_codes"), _("recovery codes")
        )
        text = _("Your second factor is set up. Keep your {codes} in a safe place.")
        messages.success(request, format_html(text, codes=codes))
        return redirect(wanted)

    async def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or "admin" not in match.app_names:
            return None
        user = await request.auser()
        if not user.is_authenticated or user.kind == User.Kind.GUEST:
            target = request.GET.get("next", reverse("admin:index"))
            if match.view_name != "admin:login":
                target = request.get_full_path()
            return redirect_to_login(target)
        if not user.is_staff:
            raise PermissionDenied
        if settings.STAFF_SECOND_FACTOR and not await _has_second_factor(user):
            messages.warning(request, _("The admin requires a second factor. Please add one."))
            await request.session.aset(WANTED_ADMIN_PAGE, request.get_full_path())
            return redirect("mfa_index")
        return None


async def _has_second_factor(user: User) -> bool:
    kinds = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    factors = Authenticator.objects.filter(user_id=user.pk, type__in=kinds)
    return bool(await factors.aexists())


class LastSeen(_PageMiddleware):
    """Notes the use of a session, at most every five minutes per process."""

    def __init__(self, get_response: Handler) -> None:
        super().__init__(get_response)
        self._noted: dict[str, float] = {}

    async def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        key = request.session.session_key
        # A visitor without a cookie has no session to look up.
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
        # A page that can be shown is not refused because this can't be noted now.
        with suppress(OperationalError):
            await UserSession.objects.filter(session_key=key).aupdate(last_seen_at=at)
            await User.objects.filter(pk=user.pk).aupdate(last_seen=at)
