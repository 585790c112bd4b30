"""`/report/`: tell the moderators of a player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from accounts import places
from accounts.models import User
from games.models import Match
from games.moderation.models import Report
from games.moderation.reporting import WINDOW_SECONDS, too_many


class ReportForm(forms.Form):
    player = forms.CharField(label=_("Player"), max_length=20)
    match = forms.CharField(label=_("Match, if it happened in one"), max_length=12, required=False)
    reason = forms.ChoiceField(label=_("What is it about?"), choices=Report.Reason.choices)
    text = forms.CharField(
        label=_("What happened?"),
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
    )

    def __init__(self, reporter: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reporter = reporter

    def clean_player(self) -> User:
        name = self.cleaned_data["player"]
        found = User.objects.filter(username__iexact=name).first() if name.isascii() else None
        if found is None or found.kind == User.Kind.HOUSE:
            raise forms.ValidationError(_("No player has that name."))
        if found == self.reporter:
            raise forms.ValidationError(_("You can’t report yourself."))
        return found

    def clean_match(self) -> Match | None:
        match_id = self.cleaned_data["match"]
        if not match_id:
            return None
        found = Match.objects.defer("log").filter(pk=match_id).first()
        if found is None:
            raise forms.ValidationError(_("This match doesn’t exist."))
        return found


@login_required
@require_http_methods(["GET", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """GET shows the form, filled from `player` and `match`; POST makes a report."""
    user = request.user
    assert isinstance(user, User)
    if request.method == "GET":
        given = {name: request.GET.get(name, "")[:20] for name in ("player", "match")}
        form = ReportForm(user, initial=given)
        return render(request, "games/report.html", {"form": form})
    form = ReportForm(user, request.POST)
    if not form.is_valid():
        return render(request, "games/report.html", {"form": form}, status=400)
    if too_many(user.pk):
        response = render(request, "429.html", status=429)
        response["Retry-After"] = str(WINDOW_SECONDS)
        return response
    Report.objects.create(
        reporter=user,
        player=form.cleaned_data["player"],
        match=form.cleaned_data["match"],
        reason=form.cleaned_data["reason"],
        text=form.cleaned_data["text"],
    )
    messages.success(request, _("Thank you. A moderator will look into it."))
    return redirect(places.url("front"))
