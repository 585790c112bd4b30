"""`/notifications/`: what one was told, on a page and for the bell in the header."""

from __future__ import annotations

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.notifications import notify
from accounts.notifications.models import Notification
from accounts.requests import SignedInRequest

IN_BELL: Final = 10


@login_required
@never_cache
@require_safe
def page(request: SignedInRequest) -> HttpResponse:
    rows = notify.newest(request.user.pk)
    context = {
        "rows": [{**notify.shown(row), "when": row.created_at} for row in rows],
        "unread": notify.unread(request.user.pk),
    }
    return render(request, "notifications/page.html", context)


@login_required
@never_cache
@require_safe
def now(request: SignedInRequest) -> HttpResponse:
    """The newest notifications with their texts, and how many are unread."""
    rows = notify.newest(request.user.pk, IN_BELL)
    about = {
        "unread": notify.unread(request.user.pk),
        "notifications": [notify.shown(row) for row in rows],
    }
    return JsonResponse(about)


@login_required
@never_cache
@require_POST
def read(request: SignedInRequest) -> HttpResponse:
    """Mark as read: those up to the id `up_to`, those that lead to the page `url`, or all."""
    rows = Notification.objects.filter(user=request.user)
    up_to, url = request.POST.get("up_to", ""), request.POST.get("url", "")
    if url:
        ids = list(rows.filter(url=url[:200]).values_list("pk", flat=True))
        unread = notify.mark_read(request.user.pk, ids=ids)
    else:
        is_id = up_to.isascii() and up_to.isdecimal() and len(up_to) < 18
        unread = notify.mark_read(request.user.pk, int(up_to) if is_id else None)
    if request.accepts("text/html"):
        return redirect("notifications:page")
    return JsonResponse({"unread": unread})


@login_required
@require_POST
def clear(request: SignedInRequest) -> HttpResponse:
    """Forget all notifications."""
    Notification.objects.filter(user=request.user).delete()
    return redirect("notifications:page")
