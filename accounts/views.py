from __future__ import annotations

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.guests import WINDOW_SECONDS, TooManyGuests, sign_in_guest

# Templates look at the user, and that may be a query.
page = sync_to_async(render)


@never_cache
@require_http_methods(["GET", "POST"])
async def guest(request: HttpRequest) -> HttpResponse:
    """Signs the visitor in as a new guest, unless they are signed in.

    A form goes on to `next`; a script that accepts JSON gets name, kind and `csrf`, the token for
    the forms of its page, which signing in has changed.
    """
    if request.method == "GET":
        return await page(
            request, "accounts/guest.html", {"next": _next(request.GET.get("next", ""))}
        )
    try:
        user = await sign_in_guest(request)
    except TooManyGuests:
        return await _too_many(request)
    if request.accepts("text/html"):
        return HttpResponseRedirect(_next(request.POST.get("next", "")))
    return JsonResponse({"name": user.username, "kind": user.kind, "csrf": get_token(request)})


async def _too_many(request: HttpRequest) -> HttpResponse:
    """The page that says which limit was reached, and when to come back at the latest."""
    if request.accepts("text/html"):
        response = await page(request, "429.html", status=429)
    else:
        about = {"code": "too_many_requests", "limit": "guests", "retry_after": WINDOW_SECONDS}
        response = JsonResponse(about, status=429)
    response["Retry-After"] = str(WINDOW_SECONDS)
    return response


def _next(address: str) -> str:
    """The address in `next`, if it is an absolute path on this site; otherwise the front page."""
    local = url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if local and address.startswith("/") else "/"
