"""Swiss pairing over many random tournaments."""

from __future__ import annotations

import os
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from lobby.tournaments import matching, standings, swiss
from lobby.tournaments.games import Entrant, Game, Result

MANY = int(os.environ.get("SWISS_TOURNAMENTS", "60"))
"""SWISS_TOURNAMENTS=1000 is the long form."""

RESULTS = (Result.ONE, Result.TWO, Result.DRAW, Result.FORFEIT_ONE, Result.FORFEIT_BOTH)


def play(size: int, rounds: int, draw: random.Random, leaving: float = 0.0) -> list[Game]:
    """A tournament with random results; players may leave on the way."""
    entrants = [Entrant(one, draw.choice([900.0, 1000.0, 1250.0])) for one in range(size)]
    games: list[Game] = []
    for number in range(1, rounds + 1):
        here = [one for one in entrants if draw.random() >= leaving]
        found = swiss.pair(here, games)
        if found is None:
            break
        assert_round(found, here)
        games += [Game(one, two, number, draw.choice(RESULTS), number) for one, two in found.pairs]
        if found.bye is not None:
            games.append(Game(found.bye, None, number, Result.BYE, number))
    return games


def assert_round(found: swiss.Round, here: list[Entrant]) -> None:
    """Everybody plays exactly once, or has the bye."""
    seated = [one for pair in found.pairs for one in pair]
    seated += [found.bye] if found.bye is not None else []
    assert sorted(seated) == sorted(one.id for one in here)
    assert (found.bye is None) == (len(here) % 2 == 0)


def assert_fair(games: list[Game]) -> None:
    pairs = [frozenset((game.one, game.two)) for game in games if game.two is not None]
    assert len(pairs) == len(set(pairs)), "nobody meets the same player twice"
    byes = [game.one for game in games if game.two is None]
    assert len(byes) == len(set(byes)), "nobody has two byes"


@settings(max_examples=MANY)
@given(st.integers(2, 40), st.integers(1, 11), st.integers(0, 2**32), st.sampled_from([0.0, 0.1]))
def test_no_pair_meets_twice_and_nobody_has_two_byes(size, rounds, seed, leaving):
    assert_fair(play(size, rounds, random.Random(seed), leaving))


@settings(max_examples=30)
@given(st.integers(2, 24), st.integers(0, 2**32))
def test_as_many_rounds_are_found_as_dirac_promises(size, seed):
    """While each player may still meet half of the others, a round exists; it must be found."""
    rounds = max(1, size // 2 - 1)
    games = play(size, rounds, random.Random(seed))
    assert max(game.number for game in games) == rounds


def test_winners_meet_winners():
    entrants = [Entrant(one, 2000.0 - one) for one in range(8)]
    first = swiss.pair(entrants, [])
    assert first is not None
    assert first.pairs == ((0, 4), (1, 5), (2, 6), (3, 7)), "the upper half meets the lower one"
    games = [Game(one, two, 1, Result.ONE) for one, two in first.pairs]
    second = swiss.pair(entrants, games)
    assert second is not None
    assert second.pairs == ((0, 2), (1, 3), (4, 6), (5, 7))


def test_players_who_blocked_each_other_meet_only_if_they_must():
    entrants = [Entrant(one, user=one + 10) for one in range(4)]
    free = swiss.pair(entrants, [], [frozenset((10, 12)), frozenset((11, 13))])
    assert free is not None
    assert (0, 2) not in free.pairs
    pair = swiss.pair(entrants[:2], [], [frozenset((10, 11))])
    assert pair is not None
    assert pair.pairs == ((0, 1),)


def test_the_pairing_does_not_depend_on_the_order_of_its_input():
    draw = random.Random(4)
    games = play(15, 4, draw)
    entrants = [Entrant(one) for one in range(15)]
    expected = swiss.pair(entrants, games)
    for _ in range(5):
        draw.shuffle(entrants)
        draw.shuffle(games)
        assert swiss.pair(entrants, games) == expected


@given(st.integers(1, 6), st.floats(0, 1), st.integers(0, 2**32))
def test_matchings_are_perfect_whenever_one_exists(half, density, seed):
    size, draw = 2 * half, random.Random(seed)
    edges = {
        frozenset((one, other))
        for one in range(size)
        for other in range(one)
        if draw.random() < density
    }

    def exists(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        one, *rest = left
        return any(
            frozenset((one, other)) in edges and exists(tuple(x for x in rest if x != other))
            for other in rest
        )

    mate: dict[int, int] = {}
    vertices = list(range(size))
    found = matching.complete(mate, vertices, lambda a, b: frozenset((a, b)) in edges)
    assert found == exists(tuple(vertices))
    assert all(mate[mate[one]] == one and frozenset((one, mate[one])) in edges for one in mate)


def test_a_round_of_500_is_found_after_few_comparisons(monkeypatch):
    """A time would depend on the machine. (It is about 50 ms of the processor.)"""
    searches: list[int] = []
    augment = matching.augment
    monkeypatch.setattr(matching, "augment", lambda *given: searches.append(1) or augment(*given))
    draw = random.Random(1)
    entrants = [Entrant(one, 800.0 + one) for one in range(500)]
    games: list[Game] = []
    for number in range(1, 8):
        searches.clear()
        found = swiss.pair(entrants, games)
        assert found is not None
        assert len(searches) <= 20, f"searches for a path in round {number}"
        games += [Game(one, two, number, draw.choice(RESULTS), number) for one, two in found.pairs]


# -- standings -----------------------------------------------------------------------------------


def test_buchholz_and_sonneborn_berger():
    games = [
        Game(1, 2, 1, Result.ONE),
        Game(3, 4, 1, Result.DRAW),
        Game(1, 3, 2, Result.DRAW),
        Game(2, 4, 2, Result.TWO),
    ]
    lines = {
        line.entrant: line for line in standings.of_swiss([Entrant(n) for n in range(1, 5)], games)
    }
    # Points, doubled: 1 has 3, 2 has 0, 3 has 2, 4 has 3.
    assert {one: line.score for one, line in lines.items()} == {1: 3, 2: 0, 3: 2, 4: 3}
    assert lines[1].ties == (0 + 2, 2 * 0 + 1 * 2)
    assert lines[3].ties == (3 + 3, 3 + 3)
    assert lines[4].ties == (2 + 0, 2 + 2 * 0)
    assert [lines[n].rank for n in (1, 2, 3, 4)] == [1, 4, 3, 1]
    assert lines[1].marks == ("1", "½")


def test_a_bye_is_a_point_against_an_equal():
    entrants = [Entrant(1), Entrant(2), Entrant(3)]
    games = [Game(1, 2, 1, Result.FORFEIT_TWO), Game(3, None, 1, Result.BYE)]
    lines = {line.entrant: line for line in standings.of_swiss(entrants, games)}
    assert lines[3].score == lines[2].score == 2
    assert lines[3].ties == lines[2].ties == (2, 4)
    assert (lines[1].marks, lines[2].marks, lines[3].marks) == (("−",), ("+",), ("b",))
