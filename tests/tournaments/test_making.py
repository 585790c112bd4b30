"""Creating, entering and cancelling: everything a stranger can send is bounded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import Rating, User
from games.engine.registry import modes
from games.models import Match
from lobby.errors import LobbyError
from lobby.tournaments import entry, making, reading, schedule, solo
from lobby.tournaments.forms import TournamentForm, read_options
from lobby.tournaments.models import Attempt, Pairing, SoloBoard, Tournament
from tests.tournaments.making import new_tournament, new_users

pytestmark = pytest.mark.django_db


def wanted(**more):
    usual = {
        "name": "Friday cup",
        "kind": "arena",
        "mode": "race",
        "starts_at": timezone.now() + timedelta(minutes=10),
    }
    return usual | more


def code_of(function, *given) -> str:
    with pytest.raises(LobbyError) as refused:
        function(*given)
    return refused.value.code


@pytest.mark.parametrize(
    "more",
    [
        {"name": "x"},
        {"name": "x" * 41},
        {"name": "Admin"},
        {"name": "a\u202eb cup"},
        {"kind": "cup"},
        {"kind": "solo"},
        {"minutes": 9},
        {"minutes": 361},
        {"minutes": True},
        {"minutes": "60"},
        {"kind": "swiss", "rounds": 16},
        {"kind": "swiss", "round_minutes": 0},
        {"kind": "solo", "mode": "classic", "boards": 11},
        {"kind": "solo", "mode": "classic", "metric": "luck"},
        {"starts_at": None},
        {"starts_at": timezone.now() + timedelta(days=15)},
        {"starts_at": timezone.now() - timedelta(days=1)},
        {"min_rating": 1500, "max_rating": 1400},
        {"min_rating": -1},
        {"min_days": 366},
        {"rated": True, "options": {"width": 11, "height": 9, "mines": 12}},
    ],
)
def test_nonsense_is_refused_with_a_sentence(more):
    (user,) = new_users(1)
    with pytest.raises(LobbyError) as refused:
        making.create(user, wanted(**more))
    assert refused.value.code in ("bad_tournament", "bad_options")
    assert refused.value.text.endswith(".")
    assert not Tournament.objects.exists()


def test_an_unknown_mode_is_refused():
    (user,) = new_users(1)
    assert code_of(making.create, user, wanted(mode="chess")) == "no_such_mode"


def test_a_player_has_three_open_tournaments_at_most_and_guests_none():
    (user,) = new_users(1)
    for number in range(making.MOST_OPEN):
        making.create(user, wanted(name=f"Cup {number}"))
    assert code_of(making.create, user, wanted()) == "too_many_tournaments"
    guest = User.objects.create(username="a-guest", kind="guest")
    assert code_of(making.create, guest, wanted()) == "tournament_account"


def test_every_mode_for_two_has_arenas():
    names = {mode.name for mode in making.modes("arena")}
    assert names == {mode.name for mode in modes() if not mode.solo}
    (user,) = new_users(1)
    user.is_staff = True
    for name in names:
        made = making.create(user, wanted(mode=name, rated=True))
        assert made.rated


def test_entry_by_rating_age_and_kind():
    young, old = new_users(2)
    User.objects.filter(pk=old.pk).update(date_joined=timezone.now() - timedelta(days=30))
    old.refresh_from_db()
    aged = new_tournament(min_days=7)
    assert code_of(entry.join, aged.pk, young) == "tournament_age"
    assert entry.join(aged.pk, old).state == "active"
    strong = new_tournament(mode="race", min_rating=1200)
    assert code_of(entry.join, strong.pk, old) == "tournament_rating"
    Rating.objects.create(user=old, mode="race", mu=30, sigma=2, shown=1300)
    assert entry.join(strong.pk, old).rating == 1300
    bot = User.objects.create(username="a-bot", kind="bot")
    guest = User.objects.create(username="a-guest", kind="guest")
    plain, open_to_bots = new_tournament(), new_tournament(bots=True)
    assert code_of(entry.join, plain.pk, bot) == "tournament_bots"
    assert code_of(entry.join, plain.pk, guest) == "tournament_account"
    assert entry.join(open_to_bots.pk, bot).state == "active"
    assert code_of(entry.join, "nosuchcup000", old) == "no_such_tournament"
    assert code_of(entry.pause, plain.pk, old) == "not_entered"


def test_joining_twice_is_one_entry_and_withdrawing_before_the_start_leaves_none():
    cup, (user,) = new_tournament(), new_users(1)
    assert entry.join(cup.pk, user).pk == entry.join(cup.pk, user).pk
    assert entry.leave(cup.pk, user) is None
    assert cup.entrants.count() == 0
    entry.join(cup.pk, user)
    Tournament.objects.filter(pk=cup.pk).update(status="running")
    left = entry.leave(cup.pk, user)
    assert left is not None
    assert left.state == "withdrawn"
    assert entry.join(cup.pk, user).state == "active", "late joiners are welcome in an arena"


def test_a_full_tournament_and_a_late_swiss_are_closed(monkeypatch):
    monkeypatch.setattr(entry, "MOST_PLAYERS", 2)
    cup, users = new_tournament(), new_users(3)
    entry.join(cup.pk, users[0])
    entry.join(cup.pk, users[1])
    assert code_of(entry.join, cup.pk, users[2]) == "tournament_full"
    late = new_tournament("swiss", rounds=5, number=3, status="running")
    assert code_of(entry.join, late.pk, users[2]) == "tournament_closed"


def test_only_the_organiser_or_staff_cancels_and_twice_is_harmless():
    ann, ben = new_users(2)
    cup = new_tournament(organiser=ann)
    assert code_of(making.cancel, cup.pk, ben) == "not_yours"
    assert making.cancel(cup.pk, ann).status == "cancelled"
    assert making.cancel(cup.pk, ann).status == "cancelled"
    running = new_tournament(organiser=ann, status="running")
    assert code_of(making.cancel, running.pk, ann) == "tournament_closed"
    ben.is_staff = True
    assert making.cancel(running.pk, ben).status == "cancelled"
    assert code_of(entry.join, running.pk, ann) == "tournament_over"


def test_private_ones_are_listed_for_those_who_are_in():
    ann, ben = new_users(2)
    cup = new_tournament(is_private=True)
    assert reading.listed(ann.pk, "planned") == []
    entry.join(cup.pk, ann)
    assert [one.pk for one in reading.listed(ann.pk, "planned")] == [cup.pk]
    assert reading.listed(ben.pk, "planned") == reading.listed(None, "planned") == []


def test_the_schedule_creates_each_tournament_once():
    now = datetime(2027, 3, 5, 13, tzinfo=UTC)  # a Friday
    made = schedule.create(now)
    assert made == len(list(schedule.coming(now)))
    assert schedule.create(now) == 0
    later = schedule.create(now + timedelta(hours=24))
    assert later > 0
    weekly = Tournament.objects.filter(kind="swiss")
    assert [one.starts_at.isoweekday() for one in weekly] == [6]
    daily = Tournament.objects.filter(series__startswith="daily:")
    assert set(daily.values_list("mode", flat=True)) == {one.name for one in making.modes("arena")}


def test_the_form_reads_a_modes_options():
    race = next(mode for mode in making.modes("arena") if mode.name == "race")
    preset = race.presets[-1]
    chosen = {"option-preset": preset.name}
    # A box that isn't ticked is not sent.
    read = read_options(race, chosen)
    assert {name: read[name] for name in preset.options} == preset.options
    assert read_options(race, {"option-width": "nonsense"})["width"] == "nonsense"


def test_a_start_at_a_time_is_the_visitors_moment():
    race = next(mode for mode in making.modes("arena") if mode.name == "race")
    data = {
        "name": "Cup", "minutes": "45", "start": "at", "at": "2027-03-05T20:00",
        "at_utc": "2027-03-05T19:00:00.000Z",
    }  # fmt: skip
    form = TournamentForm("arena", race, data)
    assert form.is_valid(), form.errors
    assert form.wanted(data)["starts_at"] == datetime(2027, 3, 5, 19, tzinfo=UTC)
    bad = TournamentForm("arena", race, data | {"at_utc": "2027-99-99T00:00"})
    assert bad.is_valid()
    assert bad.wanted(data)["starts_at"] is None


def test_a_match_leads_to_a_private_tournament_only_for_those_who_know_it(client):
    organiser, player, stranger = new_users(3)
    cup = new_tournament(is_private=True, organiser=organiser)
    entry.join(cup.pk, player)
    one = cup.entrants.get()
    Pairing.objects.create(tournament=cup, number=1, one=one, match="abcdefghijkl")
    assert reading.of_match("abcdefghijkl", None) is None
    assert reading.of_match("abcdefghijkl", stranger.pk) is None
    assert reading.of_match("abcdefghijkl", player.pk) == cup.pk
    assert reading.of_match("abcdefghijkl", organiser.pk) == cup.pk
    assert client.get(reverse("tournaments:of-match", args=["abcdefghijkl"])).status_code == 404


def test_an_attempt_on_another_board_does_not_count():
    (player,) = new_users(1)
    cup = new_tournament("solo", mode="classic")
    entrant = entry.join(cup.pk, player)
    board = SoloBoard.objects.create(tournament=cup, number=1, deal="aa", salt="", seal="")
    row = Attempt.objects.create(board=board, entrant=entrant, match="abcdefghijkl")
    solo.note([Match(pk=row.match, source="sealed", status="over", deal="bb", mode="classic")])
    row.refresh_from_db()
    assert (row.is_over, row.cleared, row.time_ms) == (True, False, None)


def test_names_follow_the_rules_of_the_chat():
    (user,) = new_users(1)
    for name in ("www.win.com", "fuck you cup"):
        assert code_of(making.create, user, wanted(name=name)) == "bad_tournament"


def test_the_schedule_leaves_room_for_the_players(monkeypatch):
    monkeypatch.setattr(making, "MOST_OPEN_AT_ALL", 1)
    (user,) = new_users(1)
    new_tournament(series="daily:race:2026-01-01")
    making.create(user, wanted())
    assert code_of(making.create, user, wanted()) == "too_many_tournaments"
