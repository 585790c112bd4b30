"""From standings to places."""

from __future__ import annotations

from games.engine.placing import place


def test_the_greater_key_is_placed_better_and_equal_ones_share() -> None:
    assert place([(3,), (5,), (3,), (1,)], range(4), [None] * 4) == (2, 1, 2, 4)


def test_keys_are_compared_place_by_place() -> None:
    assert place([(1, -9), (1, -4), (0, 99)], range(3), [None] * 3) == (2, 1, 3)


def test_players_who_are_out_are_placed_last_the_first_to_go_at_the_end() -> None:
    assert place([(9,), (1,), (8,), (0,)], range(4), [50, None, 70, None]) == (4, 1, 3, 2)


def test_out_at_the_same_moment_is_a_shared_place() -> None:
    assert place([(9,), (1,), (8,)], range(3), [50, None, 50]) == (2, 1, 2)


def test_a_team_has_the_place_of_its_best_seat() -> None:
    assert place([(1,), (5,), (4,), (4,)], [0, 0, 1, 1], [None] * 4) == (1, 1, 2, 2)


def test_a_team_is_out_when_all_its_seats_are() -> None:
    assert place([(9,), (9,), (1,), (1,)], [0, 0, 1, 1], [10, None, 5, None]) == (1, 1, 2, 2)
    assert place([(9,), (9,), (1,), (1,)], [0, 0, 1, 1], [10, 20, None, 5]) == (2, 2, 1, 1)


def test_a_single_seat_is_first() -> None:
    assert place([(0,)], [0], [7]) == (1,)
