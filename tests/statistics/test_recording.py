"""From the archive to figures, sums and best results: once for each game."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.signals import matches_archived
from games.statistics import recording, review, tallies
from games.statistics.models import Best, SoloGame, Tally

from .games import BEGIN, BEGINNER, OPENERS, lost, played, reveals, won

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="x")


def test_a_won_game_has_its_figures(anna):
    clicks = [
        (0, {"type": "reveal", "cell": 80}),
        (900, {"type": "flag", "cell": 40, "on": True}),
        (800, {"type": "flag", "cell": 1, "on": True}),
        (700, {"type": "flag", "cell": 10, "on": True}),
        (500, {"type": "flag", "cell": 9, "on": True}),
        (400, {"type": "reveal", "cell": 8}),
        (300, {"type": "reveal", "cell": 72}),
        (200, {"type": "reveal", "cell": 0}),
    ]
    game = SoloGame.objects.get(pk=played(anna, clicks=clicks).pk)
    assert (game.board, game.no_guess, game.won, game.state) == ("beginner", False, True, "counted")
    assert (game.bbbv, game.bbbv_done, game.time_ms) == (4, 4, 3800)
    assert (game.reveals, game.flags, game.chords, game.ioe) == (4, 4, 0, 0.5)


def test_time_runs_from_the_first_reveal_to_the_end(anna):
    match = played(anna, clicks=[(60_000, c) if i == 0 else (1000 + i, c) for i, (_, c) in
                                 enumerate(reveals(*OPENERS))])  # fmt: skip
    assert SoloGame.objects.get(pk=match.pk).time_ms == 3 * 1000 + 1 + 2 + 3


def test_other_boards_have_no_records(anna):
    options = {"width": 10, "height": 9, "mines": 10}
    game = SoloGame.objects.get(
        pk=played(anna, clicks=reveals(89, 20), options=options, mines=range(10)).pk
    )
    assert (game.board, Best.objects.count()) == ("", 0)
    assert Tally.objects.get().board == ""


def test_a_game_that_never_began_is_no_game(anna):
    played(anna, clicks=[])
    assert not SoloGame.objects.exists()
    assert not Tally.objects.exists()


def test_a_game_without_an_account_is_nobodys():
    played(None, clicks=reveals(*OPENERS))
    assert not SoloGame.objects.exists()


def test_the_same_match_is_counted_once(anna):
    game = won(anna)
    matches_archived.send(sender=Match, matches=[game.match])
    assert recording.record([game.match], {}) == 0
    assert Tally.objects.get().played == 1


def test_sums_and_streaks(anna):
    for number, play in enumerate([won, won, lost, won, won, won, lost, won]):
        play(anna, at=BEGIN + timedelta(hours=number))
    tally = Tally.objects.get()
    assert (tally.played, tally.won, tally.streak, tally.best_streak) == (8, 6, 1, 3)
    assert tally.won_ms == sum(SoloGame.objects.filter(won=True).values_list("time_ms", flat=True))
    assert tally.reveals == 6 * 4 + 2 * 2


def test_counting_again_comes_to_the_same(anna):
    for number, every in enumerate([900, 700, 1200, 400, 800]):
        won(anna, every=every, at=BEGIN + timedelta(days=number * 3))
        lost(anna, at=BEGIN + timedelta(days=number * 3, hours=1))

    def standing():
        sums = Tally.objects.values("played", "won", "streak", "best_streak", "won_ms", "all_ms")
        best = Best.objects.order_by("by", "period", "start")
        return list(sums), list(best.values("by", "period", "start", "value", "game_id", "who"))

    before = standing()
    tallies.rebuild(anna, "classic", "beginner", False, BEGIN + timedelta(days=20))
    assert standing() == before


def test_the_best_of_each_period(anna):
    for days, every in enumerate([600, 900, 500]):  # Wednesday to Friday
        won(anna, every=every, at=BEGIN + timedelta(days=days))
    won(anna, every=800, at=BEGIN + timedelta(days=5))  # Monday
    times = {(best.period, best.start.isoformat()) for best in Best.objects.filter(by="time")}
    assert set(times) == {
        ("day", "2026-03-04"), ("day", "2026-03-05"), ("day", "2026-03-06"), ("day", "2026-03-09"),
        ("week", "2026-03-02"), ("week", "2026-03-09"), ("month", "2026-03-01"),
        ("all", "2000-01-01"),
    }  # fmt: skip
    quickest = Best.objects.get(by="time", period="all").value
    assert Best.objects.get(by="time", period="month").value == quickest
    assert Best.objects.get(by="time", period="week", start="2026-03-09").value > quickest


def test_a_personal_best_beats_an_earlier_win(anna):
    first, slower, best = won(anna), won(anna, every=1500), won(anna, every=600)
    assert [game.is_best for game in (first, slower, best)] == [False, False, True]
    assert best.best_before_ms == first.time_ms


def test_boards_without_guessing_are_apart(anna):
    won(anna)
    won(anna, options={**BEGINNER, "no_guess": True}, every=1200)
    assert not SoloGame.objects.filter(is_best=True).exists()
    assert Best.objects.filter(by="time", period="all").count() == 2
    assert Tally.objects.count() == 2


@pytest.mark.parametrize("source", ["daily", "sealed"])
def test_a_board_that_everybody_has_is_no_record_but_counts(anna, source):
    won(anna, source=source)
    assert not Best.objects.exists()
    assert Tally.objects.get().won == 1


def test_an_impossible_result_is_held_until_a_moderator_lets_it_count(anna):
    chess = [*range(1, 81, 2)]
    clicks = [(20, {"type": "reveal", "cell": c}) for c in range(0, 81, 2)]
    options = {"width": 9, "height": 9, "mines": len(chess)}
    match = played(anna, clicks=clicks, mines=chess, options=options)
    game = SoloGame.objects.get(pk=match.pk)
    assert (game.state, game.why) == ("held", "too_fast")
    assert not Tally.objects.exists()
    assert not Best.objects.exists()
    staff = User.objects.create_user("staff", password="x", is_staff=True)
    review.decide(game, staff, "counted")
    assert Tally.objects.get().won == 1
    review.decide(game, staff, "refused")
    assert not Tally.objects.exists()


def test_a_refused_record_gives_way_to_the_next_best(anna):
    slow, quick = won(anna, at=timezone.now()), won(anna, every=500, at=timezone.now())
    staff = User.objects.create_user("staff", password="x", is_staff=True)
    assert Best.objects.get(by="time", period="all").game == quick
    review.decide(quick, staff, "refused")
    for period in ("day", "week", "month", "all"):
        assert Best.objects.get(by="time", period=period).game == slow


def test_a_guest_who_signs_up_and_a_banned_player_change_boards(anna):
    guest = User.objects.create_user("visitor", password="x", kind="guest")
    won(guest)
    assert set(Best.objects.values_list("who", flat=True)) == {"guest"}
    guest.kind = "registered"
    guest.save()
    assert set(Best.objects.values_list("who", flat=True)) == {"registered"}
    guest.is_active = False
    guest.save(update_fields=["is_active"])
    assert set(Best.objects.values_list("who", flat=True)) == {""}


def test_the_figures_go_with_the_account(anna):
    won(anna)
    match = Match.objects.get()
    anna.delete()
    assert not SoloGame.objects.exists()
    assert not Best.objects.exists()
    assert Match.objects.get() == match


def test_rules_that_fail_do_not_keep_a_match_from_the_archive(anna, monkeypatch):
    from games.engine.registry import REGISTRY

    def fail(state, moves):
        raise RuntimeError("no figures today")

    monkeypatch.setitem(REGISTRY["classic"].__dict__, "solo_figures", fail)
    match = played(anna, clicks=reveals(*OPENERS))
    assert match.status == "over"
    assert not SoloGame.objects.exists()
