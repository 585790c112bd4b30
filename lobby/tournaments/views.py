"""`/tournaments/`: the list, the form for a new one, and a tournament's page."""

from __future__ import annotations

from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.mode_cards import title_of
from games.option_form import OptionForm
from lobby import creation
from lobby.errors import LobbyError
from lobby.players import player_of, refuse_muted
from lobby.tournaments import entry, feed, making, reading, solo
from lobby.tournaments.errors import TournamentError
from lobby.tournaments.forms import TournamentForm
from lobby.tournaments.models import Attempt, Entrant, Tournament

SHOWN: Final = 25
"""Lines of the standings on one page; its script turns the pages."""
shown = sync_to_async(render)
Kind, Status = Tournament.Kind, Tournament.Status


@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    me = request.user.pk
    sections = [
        (_("Running now"), reading.listed(me, Status.RUNNING)),
        (_("Coming up"), reading.listed(me, Status.PLANNED)),
        (_("Recently finished"), reading.listed(me, Status.OVER)),
    ]
    context = {
        "sections": [
            (title, [{"tournament": one, **reading.facts(one)} for one in rows])
            for title, rows in sections
        ],
    }
    return render(request, "tournaments/list.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
async def new(request: HttpRequest) -> HttpResponse:
    """A form for the chosen kind and mode."""
    user = await request.auser()
    if not isinstance(user, User) or user.kind == User.Kind.GUEST:
        return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")
    asked = request.POST if request.method == "POST" else request.GET
    kind = asked.get("kind", Kind.ARENA)
    if kind not in Kind.values:
        raise Http404
    modes = making.modes(kind)
    mode = next((one for one in modes if one.name == asked.get("mode")), None)
    mode = mode or next(iter(modes), None)
    if mode is None:
        raise Http404
    form = TournamentForm(kind, mode, request.POST if request.method == "POST" else None)
    error = ""
    if request.method == "POST" and form.is_valid():
        try:
            await refuse_muted(player_of(user))
            made = await making.create_when_dealt(user, form.wanted(request.POST))
        except LobbyError as refused:
            error = _(refused.text)
        else:
            return redirect(made)
    context = {
        "form": form,
        "kind": kind,
        "kinds": [(value, label) for value, label in Kind.choices if making.modes(value)],
        "mode": mode,
        "modes": [(one.name, title_of(one.name)) for one in modes],
        "options": OptionForm(mode, for_id="tournament"),
        "error": error,
    }
    bad = request.method == "POST"
    return await shown(request, "tournaments/new.html", context, status=409 if bad else 200)


@never_cache
@require_http_methods(["GET", "POST"])
@ensure_csrf_cookie
async def show(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """POST joins, pauses, leaves, cancels, or begins a board of a solo arena."""
    user = await request.auser()
    try:
        found = await sync_to_async(entry.find)(tournament_id)
    except TournamentError:
        about = {
            "title": _("Tournament not found"),
            "text": _("Check the address, or look at the list of tournaments."),
        }
        return await shown(request, "404.html", about, status=404)
    if request.method == "GET":
        return await page(request, user, found)
    if not isinstance(user, User) or user.kind == User.Kind.GUEST:
        return redirect(f"{reverse('account_login')}?{urlencode({'next': request.path})}")
    try:
        match = await _act(request, found, user)
    except LobbyError as error:
        return await page(request, user, found, _(error.text), 409)
    return redirect("games:match", match) if match else redirect(found)


async def _act(request: HttpRequest, found: Tournament, user: User) -> str | None:
    """Carry out the pressed button; a match if one is to be opened. Raises LobbyError."""
    act = request.POST.get("act", "")
    if act == "play":
        number = request.POST.get("board", "")
        chosen = int(number) if number.isascii() and number.isdigit() and len(number) < 3 else 0
        address = request.META.get("REMOTE_ADDR", "")
        return await solo.play(found, player_of(user), chosen, address)
    acts: dict[str, Any] = {
        "join": entry.join,
        "pause": entry.pause,
        "leave": entry.leave,
        "cancel": making.cancel,
    }
    if act not in acts:
        raise TournamentError("bad_tournament", _("Choose what to do."))
    await sync_to_async(acts[act])(found.pk, user)
    return None


@never_cache
@require_safe
def of_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """The way back from a match."""
    found = reading.of_match(match_id, request.user.pk)
    if found is None:
        raise Http404
    return redirect("tournaments:show", found)


@sync_to_async
def page(
    request: HttpRequest,
    user: User | AnonymousUser,
    tournament: Tournament,
    error: str = "",
    status: int = 200,
) -> HttpResponse:
    found = entry.find(tournament.pk)  # as it is now
    mine = None if user.is_anonymous else found.entrants.filter(user_id=user.pk).first()
    picture = feed.shown(found.pk)
    if picture is None or not _agrees(picture, found, mine):
        picture = feed.picture_of(found.pk)
    assert picture is not None
    rows = picture["rows"]
    is_over = found.status == Status.OVER
    context = {
        "tournament": found,
        **reading.facts(found),
        "picture": picture,
        "rows": rows[:SHOWN],
        "podium": [row for row in rows[:3] if row["games"]] if is_over else [],
        "mine": mine,
        "refusal": _refusal(found, user, mine),
        "boards": _boards(found, mine),
        "may_cancel": _may_cancel(found, user),
        "link": request.build_absolute_uri(found.get_absolute_url()),
        "error": error,
        "organiser": found.organiser,
        "page_data": {
            "picture": picture,
            "kind": found.kind,
            "metric": found.metric,
            "mode": found.mode,
            "me": mine and mine.pk,
            "shown": SHOWN,
            "now": _now(),
        },
    }
    return render(request, "tournaments/show.html", context, status=status)


def _agrees(picture: dict[str, Any], found: Tournament, mine: Entrant | None) -> bool:
    """Whether a kept picture shows what the visitor has just done, and the end with its table."""
    if picture["status"] != found.status:
        return False
    states = {row["id"]: row["state"] for row in picture["rows"]}
    if mine is None or mine.state == Entrant.State.WITHDRAWN:
        return mine is None or states.get(mine.pk, mine.state) == mine.state
    return states.get(mine.pk) == mine.state


def _refusal(found: Tournament, user: User | AnonymousUser, mine: Entrant | None) -> str:
    """Why this visitor can't enter, shown in place of the button."""
    if not isinstance(user, User) or not found.is_open:
        return ""
    if mine is not None and mine.state != Entrant.State.WITHDRAWN:
        return ""
    refused = entry.refusal(found, user)
    return "" if refused is None else _(refused.text)


def _may_cancel(found: Tournament, user: User | AnonymousUser) -> bool:
    if not isinstance(user, User):
        return False
    is_planned = found.status == Status.PLANNED
    return (user.is_staff and found.is_open) or (is_planned and found.organiser_id == user.pk)


def _boards(found: Tournament, mine: Entrant | None) -> list[dict[str, Any]]:
    """The boards of a solo arena with the visitor's attempts; the salts once it is over."""
    if found.kind != Kind.SOLO:
        return []
    attempts = {}
    if mine is not None:
        rows = Attempt.objects.filter(entrant=mine, board__tournament=found)
        attempts = {one.board_id: one for one in rows}
    is_over = found.status == Status.OVER
    return [
        {
            "number": board.number,
            "seal": board.seal,
            "salt": board.salt if is_over else "",
            "deal": board.deal if is_over else "",
            "attempt": attempts.get(board.pk),
            "url": creation.url_of(attempts[board.pk].match) if board.pk in attempts else "",
        }
        for board in found.solo_boards.order_by("number")
    ]


def _now() -> int:
    return int(timezone.now().timestamp() * 1000)
