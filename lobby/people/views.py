"""`/people/`: whom one follows and who of them is here, player search, challenges that wait."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from accounts import following
from accounts.models import User
from accounts.requests import SignedInRequest
from games import mode_cards
from games.engine.registry import modes
from lobby.errors import LobbyError
from lobby.models import Block
from lobby.people import away, search
from lobby.people.presence_of import AWAY, Whereabouts, whereabouts
from lobby.people.relation import relation
from lobby.people.watching import visible
from lobby.players import player_of
from lobby.store import now_ms
from lobby.users import user_named

TABS: Final = ("following", "followers", "blocked")
LONGEST_SEARCH: Final = 40


@never_cache
@require_safe
@login_required
async def page(request: SignedInRequest) -> HttpResponse:
    user = await _visitor(request)
    tab = request.GET.get("tab", TABS[0])
    if tab not in TABS:
        raise Http404
    query = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    context = await sync_to_async(_known)(user, tab, query)
    shown = [*context["players"], *context["found"]]
    where = await _whereabouts([other.pk for other in shown if other.pk in context["visible"]])
    context |= {
        "tab": tab,
        "query": query,
        "players": _rows(context["players"], context, where),
        "found": _rows(context["found"], context, where),
        "challenges": [_waiting(one, user) for one in await away.kept_for(player_of(user))],
    }
    return await sync_to_async(render)(request, "people/people.html", context)


async def _visitor(request: SignedInRequest) -> User:
    user = await request.auser()
    assert isinstance(user, User)
    return user


def _known(user: User, tab: str, query: str) -> dict[str, Any]:
    """What the database has for the page."""
    lists = {
        "following": lambda: following.followed_by(user.pk),
        "followers": lambda: following.followers_of(user.pk),
        "blocked": lambda: list(
            User.objects.filter(blocked_by__blocker=user, is_active=True).order_by("username")
        ),
    }
    ours, theirs = following.counts(user.pk)
    blocked = Block.objects.filter(blocker=user, blocked__is_active=True).count()
    return {
        "players": lists[tab](),
        "found": search.beginning_with(query),
        "followed": {other.pk for other in following.followed_by(user.pk)},
        "visible": visible(user.pk),
        "counts": {"following": ours, "followers": theirs, "blocked": blocked},
    }


def _rows(
    players: list[User], context: dict[str, Any], where: dict[int, Whereabouts]
) -> list[dict[str, Any]]:
    """The players as the page lists them; those who are here come first."""
    rows = []
    for other in players:
        found = where.get(other.pk, AWAY)
        rows.append(
            {
                "user": other,
                "where": found,
                "title": mode_cards.title_of(found.mode) if found.mode else "",
                "followed": other.pk in context["followed"],
            }
        )
    return sorted(rows, key=lambda row: not row["where"].online)


async def _whereabouts(user_ids: list[int]) -> dict[int, Whereabouts]:
    try:
        return await whereabouts(user_ids, await now_ms()) if user_ids else {}
    except (RedisError, OSError):
        return {}  # the page is there without it


def _waiting(challenge: dict[str, Any], user: User) -> dict[str, Any]:
    received = challenge["to"] == user.username
    return {
        **challenge,
        "received": received,
        "other": challenge["from"] if received else challenge["to"],
        "title": mode_cards.title_of(challenge["mode"]),
    }


@never_cache
@require_safe
async def find(request: HttpRequest) -> HttpResponse:
    """Players whose names begin with `q`."""
    query = request.GET.get("q", "")[:LONGEST_SEARCH]
    found = await sync_to_async(search.beginning_with)(query)
    players = [
        {"name": user.username, "kind": user.kind, "url": user.get_absolute_url()} for user in found
    ]
    return JsonResponse({"players": players})


@never_cache
@require_safe
@login_required
async def state(request: SignedInRequest, name: str) -> HttpResponse:
    """What this player is to the visitor: for the buttons of a profile."""
    user = await _visitor(request)
    try:
        other = await user_named(name)
    except LobbyError:
        raise Http404 from None
    if other.pk == user.pk:
        raise Http404
    known = await relation(user, other)
    known["modes"] = [
        {"name": mode.name, "rated": mode.may_be_rated}
        for mode in modes()
        if not mode.solo and mode.seats[0] <= 2 <= mode.seats[1]
    ]
    return JsonResponse(known)
