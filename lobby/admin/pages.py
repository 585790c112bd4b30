"""Pages on which staff look at a player or a match, and act. A page checks and calls one act."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import admin, messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.requests import SignedInRequest
from games.admin.door import staff
from games.admin.full_view import NotForPlayers, archived_full_view, full_view
from games.live.entry import unpack_log
from games.live.setup import UnknownRules
from games.models import Match, Seat
from games.moderation import pairs
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct
from lobby.admin import acts

PER_PAGE = 200
SPANS = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}


def _page(request: SignedInRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return render(request, template, {**admin.site.each_context(request), **context})


page = sync_to_async(_page)


async def _done(request: SignedInRequest, act: Any, to: str, *args: Any) -> HttpResponse:
    """Run the act, show its result as a message, and redirect back."""
    try:
        await act
        await sync_to_async(messages.success)(request, _("Done and recorded."))
    except acts.ActRefused as refused:
        await sync_to_async(messages.error)(request, str(refused))
    return redirect(to, *args)


# -- players -------------------------------------------------------------------------------------


@require_GET
@staff("moderation.look")
async def player(request: SignedInRequest, user_id: int) -> HttpResponse:
    return await sync_to_async(_player)(request, user_id)


def _player(request: SignedInRequest, user_id: int) -> HttpResponse:
    found = User.objects.filter(pk=user_id).first()
    if found is None:
        raise Http404
    marks = DeviceSeen.objects.filter(user=found).values("device_hash")
    shared = DeviceSeen.objects.filter(device_hash__in=marks).exclude(user=found)
    context = {
        "title": found.username,
        "player": found,
        "sanctions": Sanction.objects.filter(user=found).select_related("by")[:20],
        "reports": Report.objects.filter(player=found).select_related("reporter")[:20],
        "shared": shared.select_related("user").order_by("-last_seen")[:50],
        "acts_done": StaffAct.objects.filter(target=found.username)[:20],
        "seats": Seat.objects.filter(user=found).order_by("-id")[:10],
        "spans": [(name, label) for name, label in _spans().items()],
        "may": {
            name: request.user.has_perm(f"moderation.{name}") for name in ("kick", "mute", "ban")
        },
    }
    return _page(request, "lobby/admin/player.html", context)


def _spans() -> dict[str, str]:
    return {
        "hour": _("an hour"),
        "day": _("a day"),
        "week": _("a week"),
        "month": _("a month"),
        "year": _("a year"),
        "forever": _("for good"),
    }


@require_POST
@staff("moderation.look")
async def act_on_player(request: SignedInRequest, user_id: int, act: str) -> HttpResponse:
    target = await User.objects.filter(pk=user_id).afirst()
    if target is None:
        raise Http404
    by, why = request.user, request.POST.get("why", "")
    assert isinstance(by, User)
    if act == "kick":
        work = acts.kick(by, target, why)
    elif act in ("mute", "ban"):
        span = request.POST.get("span", "")
        if span not in (*SPANS, "forever"):
            await acts._check(by, act, why or "-")
            await sync_to_async(messages.error)(request, _("Choose how long."))
            return redirect("admin:player-acts", user_id)
        until = None if span == "forever" else timezone.now() + SPANS[span]
        work = acts.sanction(by, target, act, why, until)
    elif act in ("unmute", "unban"):
        work = acts.lift(by, target, act.removeprefix("un"), why)
    else:
        raise Http404
    return await _done(request, work, "admin:player-acts", user_id)


# -- matches -------------------------------------------------------------------------------------


async def _match(match_id: str) -> Match:
    found = await Match.objects.prefetch_related("seats").filter(pk=match_id).afirst()
    if found is None:
        raise Http404
    return found


@require_GET
@staff("moderation.look")
async def watch(request: SignedInRequest, match_id: str) -> HttpResponse:
    match = await _match(match_id)
    if match.status == Match.Status.LIVE:
        await sync_to_async(acts.looked)(request.user, "watch", match.pk)
    context = {"title": match.pk, "match": match, "may_abort": await _may_abort(request, match)}
    return await page(request, "lobby/admin/watch.html", context)


async def _may_abort(request: SignedInRequest, match: Match) -> bool:
    return match.status == Match.Status.LIVE and await request.user.ahas_perm("moderation.abort")


@require_GET
@staff("moderation.look")
async def full(request: SignedInRequest, match_id: str) -> HttpResponse:
    """The match as it is now, with everything that is hidden from its players."""
    try:
        found = await full_view(match_id, request.user.pk)
        if found is None:
            found = await sync_to_async(archived_full_view)(await _match(match_id))
    except NotForPlayers:
        return JsonResponse({"error": _("You’re playing in this match.")}, status=403)
    except UnknownRules:
        return JsonResponse({"error": _("This server doesn’t know these rules.")}, status=409)
    return JsonResponse(found)


@require_GET
@staff("moderation.look")
async def log(request: SignedInRequest, match_id: str) -> HttpResponse:
    """The log, line by line: from Redis while the match runs, then from the archive."""
    match = await _match(match_id)
    if match.log is not None:
        entries = await sync_to_async(unpack_log)(bytes(match.log))
    else:
        if any(seat.user_id == request.user.pk for seat in match.seats.all()):
            return await page(request, "lobby/admin/log.html", {"title": match.pk, "match": match})
        await sync_to_async(acts.looked)(request.user, "log", match.pk)
        entries = await acts.entries_of(match.pk)
    wanted = request.GET.get("page", "1")
    number = max(1, int(wanted)) if wanted.isdecimal() and len(wanted) < 9 else 1
    shown = entries[(number - 1) * PER_PAGE : number * PER_PAGE]
    start = entries[0].t if entries else 0
    context = {
        "title": match.pk,
        "match": match,
        "lines": [
            {"entry": one, "after": one.t - start, "data": one.data.decode(errors="replace")}
            for one in shown
        ],
        "number": number,
        "total": len(entries),
        "previous": number - 1 if number > 1 else None,
        "next": number + 1 if number * PER_PAGE < len(entries) else None,
    }
    return await page(request, "lobby/admin/log.html", context)


@require_POST
@staff("moderation.look")
async def abort(request: SignedInRequest, match_id: str) -> HttpResponse:
    match = await _match(match_id)
    work = acts.abort(request.user, match.pk, request.POST.get("why", ""))
    return await _done(request, work, "admin:match-watch", match.pk)


@require_GET
@staff("moderation.look")
async def rated_pairs(request: SignedInRequest) -> HttpResponse:
    context = {
        "title": _("Rated pairings"),
        "often": await sync_to_async(pairs.often)(),
        "against_new": await sync_to_async(pairs.against_new_accounts)(),
    }
    return await page(request, "lobby/admin/pairs.html", context)


# -- the site ------------------------------------------------------------------------------------


@require_POST
@staff("moderation.look")
async def announce(request: SignedInRequest) -> HttpResponse:
    work = acts.announce(request.user, request.POST.get("text", ""), request.POST.get("why", ""))
    return await _done(request, work, "admin:index")


@require_POST
@staff("moderation.look")
async def queues(request: SignedInRequest) -> HttpResponse:
    act = acts.open_queues if request.POST.get("open") == "1" else acts.close_queues
    return await _done(request, act(request.user, request.POST.get("why", "")), "admin:index")
