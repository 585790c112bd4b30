"""The page behind an invitation's link."""

from __future__ import annotations

from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.guests import TooManyGuests, sign_in_guest
from games.mode_cards import title_of
from games.option_form import option_texts
from lobby import invitations, maintenance
from lobby.creation import url_of
from lobby.errors import LobbyError
from lobby.invitations import Invitation
from lobby.players import player_of, user_identity

# Templates look at the user, and that may be a query.
page = sync_to_async(render)


@never_cache
@require_http_methods(["GET", "POST"])
async def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows it; POST takes a free seat, as a guest if the visitor is not signed in, or leaves
    it."""
    found = await invitations.get(token)
    if found is None:
        about = {
            "title": _("Invitation not found"),
            "text": _("Check the link, or ask for a new one: invitations expire after a while."),
        }
        return await page(request, "404.html", about, status=404)
    if request.method == "GET":
        return await _page(request, found)
    try:
        if "leave" in request.POST:
            return await _leave(request, token)
        await maintenance.refuse_when_closed()
        user = await sign_in_guest(request)
        found = await invitations.take(player_of(user), token)
    except TooManyGuests:
        return await page(request, "429.html", status=429)
    except LobbyError as error:
        return await _page(request, await invitations.get(token) or found, error)
    return redirect(url_of(found.match) if found.status == "started" else found.url)


async def _leave(request: HttpRequest, token: str) -> HttpResponse:
    user = await request.auser()
    if user.is_authenticated:
        await invitations.leave(player_of(user), token)
    return redirect("lobby:front")


async def _page(
    request: HttpRequest, found: Invitation, error: LobbyError | None = None
) -> HttpResponse:
    user = await request.auser()
    mine = user.is_authenticated and any(
        seat.identity == user_identity(user.pk) for seat in found.seats
    )
    if mine and found.status == "started":
        return redirect(url_of(found.match))
    free = found.size - len(found.seats)
    context = {
        "invitation": found,
        "title": title_of(found.mode),
        "option_texts": option_texts(found.mode, found.options),
        "link": request.build_absolute_uri(found.url),
        "free": range(free),
        "mine": mine,
        "open": found.status == "open",
        "full": free == 0,
        "error": error.text if error else "",
        "gone": _gone(found),
        "page_data": {"token": found.token, "seated": mine},
    }
    return await page(request, "lobby/invite.html", context, status=409 if error else 200)


def _gone(found: Invitation) -> str:
    return {
        "started": _("This match started without you."),
        "withdrawn": _("The host withdrew this invitation."),
        "expired": _("This invitation has expired."),
    }.get(found.status, "")
