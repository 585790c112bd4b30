"""The settings: preferences, access (sessions and tokens), data (export and deletion)."""

from __future__ import annotations

import json
from typing import Any

from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import access, leaving, places, preferences, tokens
from accounts.devices import device
from accounts.models import Token, User
from accounts.preferences import PreferencesForm
from accounts.signals import NotNow

MOST_TOKENS = 20


@login_required
@never_cache
@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest) -> HttpResponse:
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
def choices(request: HttpRequest) -> HttpResponse:
    """Some preferences, as a JSON object: what a match page has changed."""
    try:
        wanted = json.loads(request.body)
        if not isinstance(wanted, dict):
            raise preferences.BadChoice(_("There is no such setting."))
        stored = preferences.change(request.user.pk, wanted)
    except preferences.BadChoice as error:
        return JsonResponse({"code": "bad_choice", "text": str(error)}, status=422)
    except (ValueError, RecursionError):
        text = _("This is not a JSON object.")
        return JsonResponse({"code": "bad_choice", "text": text}, status=400)
    return JsonResponse(stored)


# -- access --------------------------------------------------------------------------------------


class TokenForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=40)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("It may"),
        choices=[("play", gettext_lazy("play")), ("read", gettext_lazy("read"))],
        initial=["play", "read"],
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@never_cache
@require_GET
def access_page(request: HttpRequest) -> HttpResponse:
    return _access(request, TokenForm())


def _access(request: HttpRequest, form: TokenForm, **more: Any) -> HttpResponse:
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
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    session = get_object_or_404(UserSession, pk=pk, user=request.user)
    if session.session_key == request.session.session_key:
        logout(request)
        return redirect(places.url("front"))
    access.end_sessions([session])
    messages.success(request, _("That session has ended."))
    return redirect("accounts:access")


@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    own = request.session.session_key
    access.end_sessions(UserSession.objects.filter(user=request.user).exclude(session_key=own))
    messages.success(request, _("All other sessions have ended."))
    return redirect("accounts:access")


@login_required
@never_cache
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """The answer to this very request is the only place where the token is shown."""
    form = TokenForm(request.POST)
    if request.user.kind == User.Kind.GUEST:
        return redirect("account_signup")
    if not form.is_valid():
        return _access(request, form)
    if request.user.tokens.count() >= MOST_TOKENS:
        form.add_error(None, _("You have enough tokens: revoke one first."))
        return _access(request, form)
    made = tokens.issue(request.user, form.cleaned_data["name"], form.cleaned_data["scopes"])
    return _access(request, TokenForm(), made=made[0], secret=made[1])


@login_required
@require_POST
def revoke_token(request: HttpRequest, pk: int) -> HttpResponse:
    tokens.revoke(get_object_or_404(Token, pk=pk, user=request.user))
    messages.success(request, _("The token is revoked."))
    return redirect("accounts:access")


# -- data ----------------------------------------------------------------------------------------


@login_required
@never_cache
@require_GET
def data_page(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/data.html")


@login_required
@never_cache
@require_POST
def export(request: HttpRequest) -> HttpResponse:
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
def delete(request: HttpRequest) -> HttpResponse:
    """`proof` is the password, or the name of who has none."""
    limited = ratelimit.consume_or_429(request, action="reauthenticate", user=request.user)
    if limited is not None:
        return limited
    user, proof = request.user, request.POST.get("proof", "")
    if user.has_usable_password():
        proven, error = user.check_password(proof), _("That is not your password.")
    else:
        proven, error = proof == user.username, _("That is not your name.")
    if not proven:
        return render(request, "accounts/data.html", {"error": error}, status=422)
    person = User.objects.get(pk=user.pk)
    try:
        leaving.delete(person)
    except NotNow as reason:
        return render(request, "accounts/data.html", {"error": str(reason)}, status=409)
    logout(request)
    messages.success(request, _("Your account is deleted. Good luck out there."))
    return redirect(places.url("front"))
