"""The settings: preferences, notifications, access (sessions and tokens), data (export and
deletion)."""

from __future__ import annotations

import json
from typing import Any

from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import access, leaving, places, preferences, push, tokens
from accounts.devices import device
from accounts.models import PushSubscription, Token, User
from accounts.preferences import PreferencesForm
from accounts.requests import SignedInRequest
from accounts.signals import NotNow

MOST_TOKENS = 20


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def settings(request: SignedInRequest) -> HttpResponse:
    if request.method == "GET":
        form = PreferencesForm(initial=preferences.of(request.user))
        return render(request, "accounts/settings.html", {"form": form})
    form = PreferencesForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/settings.html", {"form": form}, status=422)
    preferences.save(request.user, form)
    messages.success(request, _("Saved."))
    return redirect("accounts:settings")


@login_required
@never_cache
@require_POST
def choices(request: SignedInRequest) -> HttpResponse:
    """Some preferences, as a JSON object: what a match page has changed."""
    try:
        wanted = json.loads(request.body)
        if not isinstance(wanted, dict):
            raise preferences.BadChoice(_("This setting doesn’t exist."))
        stored = preferences.change(request.user.pk, wanted)
    except preferences.BadChoice as error:
        return JsonResponse({"code": "bad_choice", "text": str(error)}, status=422)
    except (ValueError, RecursionError):
        text = _("This isn’t a JSON object.")
        return JsonResponse({"code": "bad_choice", "text": text}, status=400)
    return JsonResponse(stored)


# -- notifications -------------------------------------------------------------------------------


@login_required
@never_cache
@require_GET
def notifications(request: SignedInRequest) -> HttpResponse:
    if request.user.kind != User.Kind.REGISTERED:
        return redirect("account_signup")
    devices = [
        {
            "pk": each.pk,
            "device": device(each.user_agent),
            "endpoint": each.endpoint,
            "since": each.created_at,
        }
        for each in request.user.push_subscriptions.all()
    ]
    context = {"devices": devices, "key": push.public_key()}
    return render(request, "accounts/notifications.html", context)


@login_required
@never_cache
@require_POST
def notify_device(request: SignedInRequest) -> HttpResponse:
    """Switch notifications on for the browser that sends its subscription as JSON; with `renew`,
    only note its session and language, if they are on."""
    if request.user.kind != User.Kind.REGISTERED:
        text = _("Notifications need an account. Sign up first.")
        return JsonResponse({"code": "registered_only", "text": text}, status=403)
    try:
        push.subscribe(
            request.user,
            request.body,
            session_key=request.session.session_key or "",
            language=get_language() or "en",
            user_agent=request.headers.get("User-Agent", ""),
        )
    except push.BadSubscription:
        text = _("Your browser sent a subscription that the site can’t use.")
        return JsonResponse({"code": "bad_subscription", "text": text}, status=422)
    return JsonResponse({})


@login_required
@require_POST
def forget_device(request: SignedInRequest, pk: int) -> HttpResponse:
    get_object_or_404(PushSubscription, pk=pk, user=request.user).delete()
    messages.success(request, _("Notifications are off on that device."))
    return redirect("accounts:notifications")


@login_required
@require_POST
def forget_all_devices(request: SignedInRequest) -> HttpResponse:
    request.user.push_subscriptions.all().delete()
    messages.success(request, _("Notifications are off on all devices."))
    return redirect("accounts:notifications")


# -- access --------------------------------------------------------------------------------------


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=40)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Permissions"),
        choices=[("play", gettext_lazy("play")), ("read", gettext_lazy("read"))],
        initial=["play", "read"],
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@never_cache
@require_GET
def access_page(request: SignedInRequest) -> HttpResponse:
    return _access(request, TokenForm())


def _access(request: SignedInRequest, form: TokenForm, **more: Any) -> HttpResponse:
    user = request.user
    sessions = [
        {
            "pk": session.pk,
            "device": device(session.user_agent),
            "ip": session.ip,
            "created": session.created_at,
            "seen": session.last_seen_at,
            "current": session.session_key == request.session.session_key,
        }
        for session in access.sessions_of(user)
    ]
    context = {"form": form, "sessions": sessions, "tokens": user.tokens.all(), **more}
    return render(request, "accounts/access.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def end_session(request: SignedInRequest, pk: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    if session.session_key == request.session.session_key:
        logout(request)
        return redirect(places.url("front"))
    access.end_sessions([session])
    messages.success(request, _("That session has ended."))
    return redirect("accounts:access")


@login_required
@require_POST
def end_other_sessions(request: SignedInRequest) -> HttpResponse:
    own = request.session.session_key
    access.end_sessions(UserSession.objects.filter(user=request.user).exclude(session_key=own))
    messages.success(request, _("All other sessions have ended."))
    return redirect("accounts:access")


@login_required
@never_cache
@require_POST
def make_token(request: SignedInRequest) -> HttpResponse:
    """The answer to this very request is the only place where the token is shown."""
    form = TokenForm(request.POST)
    if request.user.kind == User.Kind.GUEST:
        return redirect("account_signup")
    if not form.is_valid():
        return _access(request, form)
    name, scopes = form.cleaned_data["name"], form.cleaned_data["scopes"]
    try:
        made = tokens.issue(request.user, name, scopes, MOST_TOKENS)
    except tokens.TooManyTokens:
        form.add_error(None, _("You have too many tokens. Revoke one first."))
        return _access(request, form)
    return _access(request, TokenForm(), made=made[0], secret=made[1])


@login_required
@require_POST
def revoke_token(request: SignedInRequest, pk: int) -> HttpResponse:
    tokens.revoke(get_object_or_404(Token, pk=pk, user=request.user))
    messages.success(request, _("The token has been revoked."))
    return redirect("accounts:access")


@login_required
@require_POST
def revoke_all_tokens(request: SignedInRequest) -> HttpResponse:
    for token in request.user.tokens.all():
        tokens.revoke(token)
    messages.success(request, _("All tokens have been revoked."))
    return redirect("accounts:access")


# -- data ----------------------------------------------------------------------------------------


@login_required
@never_cache
@require_GET
def data_page(request: SignedInRequest) -> HttpResponse:
    return render(request, "accounts/data.html")


@login_required
@never_cache
@require_POST
def export(request: SignedInRequest) -> HttpResponse:
    name = f"minesite-{request.user.username}.json"
    return JsonResponse(
        leaving.export(request.user),
        json_dumps_params={"indent": 2, "ensure_ascii": False},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@login_required
@never_cache
@require_POST
@sensitive_post_parameters("proof")
def delete(request: SignedInRequest) -> HttpResponse:
    """`proof` is the password, or the name of an account that has none."""
    limited: HttpResponse | None = ratelimit.consume_or_429(
        request, action="reauthenticate", user=request.user
    )
    if limited is not None:
        return limited
    user, proof = request.user, request.POST.get("proof", "")
    if user.has_usable_password():
        proven, error = user.check_password(proof), _("That isn’t your password.")
    else:
        proven, error = proof == user.username, _("That isn’t your name.")
    if not proven:
        return render(request, "accounts/data.html", {"error": error}, status=422)
    person = User.objects.get(pk=user.pk)
    try:
        leaving.delete(person)
    except NotNow as reason:
        return render(request, "accounts/data.html", {"error": str(reason)}, status=409)
    logout(request)
    messages.success(request, _("Your account has been deleted. Good luck out there."))
    return redirect(places.url("front"))
