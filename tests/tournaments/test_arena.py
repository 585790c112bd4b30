"""Arena pairing and points."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from lobby.tournaments import arena, standings
from lobby.tournaments.arena import Waiting
from lobby.tournaments.games import Entrant, Game, Result


def games_of(player: int, results: str) -> list[Game]:
    """Games of this player against new opponents: w, d or l."""
    kinds = {"w": Result.ONE, "d": Result.DRAW, "l": Result.TWO}
    return [
        Game(player, 100 + number, number, kinds[each], number)
        for number, each in enumerate(results)
    ]


def points_of(results: str) -> list[int]:
    return list(arena.sheets(games_of(1, results))[1].points)


def test_points_double_after_two_wins_in_a_row():
    assert points_of("wwwwlw") == [2, 2, 4, 4, 0, 2]
    assert points_of("wwd") == [2, 2, 2], "a draw on a streak counts double and ends it"
    assert points_of("wdwwdd") == [2, 1, 2, 2, 2, 1]
    assert points_of("lld") == [0, 0, 1]


def test_games_count_in_the_order_of_their_ends():
    games = games_of(1, "wwlw")
    random.Random(3).shuffle(games)
    assert arena.sheets(games)[1].points == (2, 2, 0, 2)


def test_no_shows_do_not_count():
    games = [*games_of(1, "ww"), Game(1, 7, 5, Result.FORFEIT_ONE, 5), Game(1, 8, 6)]
    assert arena.sheets(games)[1].points == (2, 2)
    assert 7 not in arena.sheets(games)


def test_the_standings_rank_by_points_then_wins_then_opponents():
    entrants = [Entrant(1, 1000), Entrant(2, 1500), Entrant(3, 1200), Entrant(4, 900)]
    games = [Game(1, 2, 1, Result.ONE, 1), Game(3, 4, 1, Result.ONE, 2)]
    lines = standings.of_arena(entrants, games)
    assert [(line.entrant, line.rank, line.score) for line in lines] == [
        (1, 1, 2),
        (3, 2, 2),
        (4, 3, 0),
        (2, 4, 0),
    ]
    assert lines[0].ties == (1, 1500)


def line_up(count: int, draw: random.Random) -> list[Waiting]:
    return [
        Waiting(
            one,
            rank=draw.randrange(count),
            since=draw.randrange(60_000),
            last=draw.choice([None, *range(count)]),
            user=one + 1,
        )
        for one in range(count)
    ]


@given(st.integers(0, 30), st.integers(0, 2**32), st.booleans())
def test_nobody_is_paired_twice_or_with_the_last_opponent(count, seed, blocks):
    draw = random.Random(seed)
    players = line_up(count, draw)
    apart = {frozenset((1, 2)), frozenset((3, 4))} if blocks else set()
    pairs = arena.pair(players, 60_000, apart=apart)
    seated = [one for pair in pairs for one in pair]
    assert len(seated) == len(set(seated))
    by_id = {one.id: one for one in players}
    for one, other in pairs:
        assert by_id[one].last != other
        assert by_id[other].last != one
        assert frozenset((one + 1, other + 1)) not in apart


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_after_some_waiting_nearly_everybody_plays(count, seed):
    """The window has no limit, and of those left no two may meet."""
    players = [
        Waiting(one, one, 0, last=random.Random(seed + one).choice([None, *range(count)]))
        for one in range(count)
    ]
    pairs = arena.pair(players, 10**9)
    seated = {one for pair in pairs for one in pair}
    idle = [one for one in players if one.id not in seated]
    if count % 2 == 0:
        for one in idle:
            assert all(
                one.last == other.id or other.last == one.id for other in idle if other != one
            )


def test_an_arena_of_two_may_repeat():
    players = [Waiting(1, 1, 0, last=2), Waiting(2, 2, 0, last=1)]
    assert arena.pair(players, 0) == []
    assert arena.pair(players, 0, may_repeat=True) == [(1, 2)]


def test_players_near_in_the_standings_meet_and_far_ones_wait():
    players = [Waiting(1, 1, 0), Waiting(2, 2, 0), Waiting(3, 90, 0), Waiting(4, 91, 0)]
    assert arena.pair(players, 0) == [(1, 2), (3, 4)]
    far = [Waiting(1, 1, 0), Waiting(3, 90, 0)]
    assert arena.pair(far, 0) == []
    assert arena.pair(far, 90_000) == [(1, 3)]


def test_with_an_odd_number_the_latest_waits():
    players = [Waiting(1, 1, 50), Waiting(2, 2, 900), Waiting(3, 3, 20)]
    assert arena.pair(players, 1_000) == [(1, 3)]


def test_a_wave_of_500_pairs_nearly_everybody():
    draw = random.Random(2)
    entrants = [Entrant(one, 800.0 + one) for one in range(500)]
    games = [
        Game(one, other, wave, draw.choice([Result.ONE, Result.TWO, Result.DRAW]), wave)
        for wave in range(20)
        for one, other in zip(*[iter(draw.sample(range(500), 500))] * 2, strict=True)
    ]
    lines = standings.of_arena(entrants, games)
    last = arena.last_opponents(games)
    waiting = [Waiting(line.entrant, line.rank, 0, last.get(line.entrant)) for line in lines]
    pairs = arena.pair(waiting, 5_000)
    assert len(pairs) >= 245
