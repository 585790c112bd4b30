"""Creating and cancelling tournaments. Everything that a player may ask for is bounded here."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.validators import RESERVED, looks
from games.engine import registry
from games.engine.mode import Mode
from lobby.chat import filtering
from lobby.dealing import deals, pool
from lobby.errors import LobbyError
from lobby.plans import checked_options
from lobby.players import user_identity
from lobby.tournaments import results
from lobby.tournaments.database import in_thread
from lobby.tournaments.errors import TournamentError
from lobby.tournaments.models import NAME_LENGTH, Pairing, Tournament
from lobby.tournaments.results import lock

MINUTES: Final = (10, 360)
ROUNDS: Final = (3, 15)
ROUND_MINUTES: Final = (3, 60)
BOARDS: Final = (1, 10)
RATINGS: Final = (0, 4000)
MOST_DAYS: Final = 365
SOONEST: Final = timedelta(minutes=1)
LATEST: Final = timedelta(days=14)
MOST_OPEN: Final = 3
"""Tournaments of one player that are planned or running; staff may have any number."""
MOST_OPEN_AT_ALL: Final = 200
"""Of all players, without the schedule's; each costs the worker a look every second."""
Kind = Tournament.Kind


def modes(kind: str) -> list[Mode]:
    """The modes that have this kind of tournament."""
    return [mode for mode in registry.modes() if fits(mode, kind)]


def fits(mode: Mode, kind: str) -> bool:
    """Arenas and Swiss tournaments are matches of two. A solo arena needs a mode for one whose
    boards can be dealt."""
    if kind == Kind.SOLO:
        return mode.solo and mode.daily is not None
    return mode.seats[0] <= 2 <= mode.seats[1]


async def create_when_dealt(organiser: User, wanted: dict[str, Any]) -> Tournament:
    """The same as `create`, after a look whether the boards of a solo arena can be made."""
    if wanted.get("kind") == Kind.SOLO:
        checked = await in_thread(_checked)(wanted, timezone.now())
        await deals.check(checked["mode"], checked["options"], user_identity(organiser.pk))
    return await in_thread(create)(organiser, wanted)


def create(organiser: User | None, wanted: dict[str, Any], **more: Any) -> Tournament:
    """A planned tournament; raises TournamentError, or LobbyError for options that the mode does
    not take. `wanted` has the fields of the model as a stranger sent them, of the right types."""
    by_staff = organiser is None or organiser.is_staff
    now = timezone.now()
    tournament = Tournament(organiser=organiser, **_checked(wanted, now), **more)
    if organiser is not None:
        _refuse_bad_name(tournament.name, organiser, now)
    if organiser is not None and organiser.kind not in (User.Kind.REGISTERED, User.Kind.BOT):
        raise TournamentError("tournament_account", _("Create an account to organise tournaments."))
    with transaction.atomic():
        if not by_staff:
            assert organiser is not None
            # Of two requests at once, the second one counts the first one's.
            User.objects.select_for_update(no_key=True).get(pk=organiser.pk)
            running = Tournament.objects.filter(
                status__in=(Tournament.Status.PLANNED, Tournament.Status.RUNNING)
            )
            if running.filter(organiser=organiser).count() >= MOST_OPEN:
                raise TournamentError("too_many_tournaments")
            if running.filter(series=None).count() >= MOST_OPEN_AT_ALL:
                raise TournamentError(
                    "too_many_tournaments", _("There are too many tournaments right now.")
                )
        tournament.save(force_insert=True)
    return tournament


def cancel(tournament_id: str, user: User) -> Tournament:
    """The organiser, or staff, calls off a tournament that hasn't begun; staff may also stop one
    that runs. Of two at once the second one changes nothing."""
    with transaction.atomic():
        tournament = lock([tournament_id]).get(tournament_id)
        if tournament is None:
            raise TournamentError("no_such_tournament")
        if tournament.organiser_id != user.pk and not user.is_staff:
            raise TournamentError("not_yours")
        if tournament.status == Tournament.Status.CANCELLED:
            return tournament
        may_stop = user.is_staff and tournament.status == Tournament.Status.RUNNING
        if tournament.status != Tournament.Status.PLANNED and not may_stop:
            raise TournamentError(
                "tournament_closed", _("It has begun: it can’t be cancelled any more.")
            )
        Tournament.objects.filter(pk=tournament.pk).update(
            status=Tournament.Status.CANCELLED,
            reason="organiser",
            ended_at=timezone.now(),
            version=F("version") + 1,
        )
        for pairing in tournament.pairings.filter(state=Pairing.State.PLANNED):
            results.cancel(pairing)
        tournament.refresh_from_db()
    return tournament


def _checked(wanted: dict[str, Any], now: datetime) -> dict[str, Any]:
    kind = wanted.get("kind", "")
    if kind not in Kind.values:
        raise TournamentError("bad_tournament", _("Choose arena, swiss or solo."))
    name = " ".join(str(wanted.get("name", "")).split())
    if not 3 <= len(name) <= NAME_LENGTH or not name.isprintable():
        raise TournamentError(
            "bad_tournament", _("A name has 3 to {n} characters.").format(n=NAME_LENGTH)
        )
    if not wanted.get("series") and looks(name) in {looks(word) for word in RESERVED}:
        raise TournamentError("bad_tournament", _("This name is reserved."))
    options = checked_options(wanted.get("mode", ""), wanted.get("options") or {})
    mode = registry.mode(wanted["mode"])
    if not fits(mode, kind):
        raise TournamentError(
            "bad_tournament", _("This mode has no tournaments of this kind."), mode=mode.name
        )
    if kind == Kind.SOLO:
        # Without it each attempt's own seed would make its board.
        options = checked_options(mode.name, options | {"no_guess": True})
        if pool.spec_for(mode.name, options) is None:
            raise TournamentError(
                "bad_tournament", _("This mode has no tournaments of this kind."), mode=mode.name
            )
    checked = {
        "kind": kind,
        "name": name,
        "mode": mode.name,
        "options": options,
        "rated": _rated(wanted, mode, options),
        "starts_at": _start(wanted.get("starts_at"), now),
        "is_private": bool(wanted.get("is_private")),
        "bots": bool(wanted.get("bots")),
        "min_days": _between(wanted, "min_days", (0, MOST_DAYS), _("Age of the account"), 0),
    }
    for name_of in ("min_rating", "max_rating"):
        if wanted.get(name_of) is not None:
            checked[name_of] = _between(wanted, name_of, RATINGS, _("Rating"))
    if checked.get("min_rating", 0) > checked.get("max_rating", RATINGS[1]):
        raise TournamentError(
            "bad_tournament", _("The lowest rating can’t be above the highest one.")
        )
    return checked | _of_kind(kind, wanted)


def _refuse_bad_name(name: str, organiser: User, now: datetime) -> None:
    """A name is read by everybody, as a line of the chat is."""
    try:
        filtering.refuse_bad(name, organiser.date_joined, now)
    except LobbyError as error:
        raise TournamentError("bad_tournament", _(error.text)) from None


def _of_kind(kind: str, wanted: dict[str, Any]) -> dict[str, Any]:
    if kind == Kind.SWISS:
        return {
            "rounds": _between(wanted, "rounds", ROUNDS, _("Rounds"), 5),
            "round_minutes": _between(
                wanted, "round_minutes", ROUND_MINUTES, _("Minutes per round"), 20
            ),
        }
    own = {"minutes": _between(wanted, "minutes", MINUTES, _("Minutes"), 60)}
    if kind == Kind.SOLO:
        metric = wanted.get("metric") or Tournament.Metric.TIME
        if metric not in Tournament.Metric.values:
            raise TournamentError("bad_tournament", _("Choose time or speed."))
        boards = _between(wanted, "boards", BOARDS, _("Boards"), 3)
        return own | {"metric": metric, "boards": boards}
    return own


def _rated(wanted: dict[str, Any], mode: Mode, options: dict[str, Any]) -> bool:
    """Ratings are comparable only if everybody plays the usual kinds of match."""
    if not wanted.get("rated"):
        return False
    if not mode.may_be_rated:
        raise TournamentError("bad_tournament", _("This mode is never rated."))
    usual = [{}, *(dict(preset.options) for preset in mode.presets)]
    defaults = {option.name: option.default for option in mode.options}
    full = defaults | options
    if all(full != defaults | one for one in usual):
        raise TournamentError(
            "bad_tournament",
            _("A rated tournament is played with the usual options or a preset’s."),
        )
    return True


def _start(value: Any, now: datetime) -> datetime:
    if not isinstance(value, datetime):
        raise TournamentError("bad_tournament", _("Say when it starts."))
    at = value if timezone.is_aware(value) else timezone.make_aware(value)
    if not now + SOONEST - timedelta(seconds=90) <= at <= now + LATEST:
        raise TournamentError(
            "bad_tournament",
            _("A tournament starts within the next {n} days.").format(n=LATEST.days),
        )
    return at


def _between(
    wanted: dict[str, Any],
    name: str,
    limits: tuple[int, int],
    label: str,
    default: int | None = None,
) -> int:
    value = wanted.get(name, default)
    value = default if value is None else value
    low, high = limits
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        text = _("{label}: {low} to {high}.").format(label=label, low=low, high=high)
        raise TournamentError("bad_tournament", text)
    return value
