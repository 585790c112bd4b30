"""The states of a rematch offer, as pure values."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.engine.game import Outcome
from lobby.plans import Plan, seat_for
from lobby.rematch import ANSWER_MS, Offer, answered, expired, first_offer, next_options
from lobby.watch import public
from tests.lobby.making import calm, player


def plan(seats: int = 2, mode: str = "claim", house: int = 0, **options) -> Plan:
    people = [seat_for(player(n)) for n in range(seats - house)]
    bots = [seat_for(player(90 + n, kind="house")) for n in range(house)]
    return Plan(
        match="old",
        mode=mode,
        seats=(*people, *bots),
        options=options,
        rated=True,
        source="queue",
        previous="older",
    )


def offer(seats: int = 2, house: int = 0) -> Offer:
    ranks = tuple(range(1, seats + 1))
    return first_offer(plan(seats, house=house), Outcome(ranks, "done"), 1_000, "new")


answers = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 70_000)), max_size=12)


@calm
@given(answers)
def test_an_offer_settles_once_and_for_a_reason(script) -> None:
    state = offer(4)
    for seat, yes, wait in sorted(script, key=lambda step: step[2]):
        before, now = state, 1_000 + wait
        state = answered(state, seat, yes, now)
        if before.settled:
            assert state == before
        elif wait >= ANSWER_MS:
            assert state.ended == "timeout"
            assert state.by == tuple(i for i, a in enumerate(before.answers) if a is None)
        elif not yes:
            assert (state.ended, state.by) == ("declined", (seat,))
        assert state.agreed == (all(state.answers) and not state.ended)
        assert not (state.agreed and state.ended)


def test_all_yes_agrees_on_a_match_linked_to_the_old_one() -> None:
    state = answered(answered(offer(), 0, True, 2_000), 1, True, 3_000)
    assert state.agreed
    assert (state.plan.match, state.plan.previous, state.plan.source) == ("new", "old", "rematch")
    assert state.plan.rated
    assert state.as_message()["new"] == "new"


def test_a_rematch_of_a_private_match_is_private() -> None:
    outcome = Outcome((1, 2), "done")
    invited = replace(plan(), source="invite")
    first = first_offer(invited, outcome, 1_000, "new").plan
    second = first_offer(first, outcome, 2_000, "newer").plan
    assert public([plan()]) != []
    assert public([first, second]) == []


def test_the_id_of_the_new_match_is_a_secret_until_all_agree() -> None:
    state = answered(offer(), 0, True, 2_000)
    assert "new" not in {str(value) for value in state.as_message().values()}


def test_house_bots_always_play_again() -> None:
    state = offer(3, house=1)
    assert state.answers == (None, None, True)


def test_a_no_says_who() -> None:
    state = answered(offer(), 1, False, 2_000)
    assert (state.as_message()["ended"], state.as_message()["by"]) == ("declined", "Player1")
    assert answered(state, 0, True, 2_001) == state


def test_the_time_runs_out() -> None:
    state = answered(offer(), 0, True, 2_000)
    assert expired(state, 1_000 + ANSWER_MS - 1) == state
    late = expired(state, 1_000 + ANSWER_MS)
    assert (late.ended, late.as_message()["by"]) == ("timeout", "Player1")


def test_in_battleship_the_loser_attacks_first() -> None:
    ship = plan(mode="battleship", first=0)
    assert next_options(ship, Outcome((1, 2), "sunk"))["first"] == 1
    assert next_options(ship, Outcome((2, 1), "sunk"))["first"] == 0
    assert next_options(ship, Outcome((1, 1), "draw"))["first"] == 1
