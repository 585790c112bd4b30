"""Pairing holds its promises for any tickets, at any time, in any order."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from lobby import pairing
from lobby.pairing import Group, fit, offers, pair, window
from lobby.tickets import ANY, Ticket, Wish
from tests.lobby import plain_pairing
from tests.lobby.making import CONFIG, blocked_pairs, calm, ticket, ticket_sets, times

DUEL = Wish(mode="duel", size=2)


def wants(one: Ticket, group: Group) -> bool:
    return any(
        wish.mode == group.mode
        and wish.size in (ANY, group.size)
        and (wish.rated == group.rated or group.bots)
        for wish in one.wishes
    )


def ids(groups: list[Group]) -> list[list[str]]:
    return [[t.id for t in group.tickets] for group in groups]


@calm
@given(ticket_sets(), times, blocked_pairs)
def test_groups_are_disjoint_wanted_and_fit(tickets, now, blocked) -> None:
    groups = pair(tickets, now, CONFIG, blocked)
    used = [t.id for group in groups for t in group.tickets]
    assert len(used) == len(set(used))
    assert set(used) <= {t.id for t in tickets}
    for group in groups:
        fewest, most = CONFIG.sizes[group.mode]
        assert fewest <= group.size <= most
        assert len(group.tickets) + group.bots == group.size
        assert group.bots == 0 or not group.rated
        assert all(wants(one, group) for one in group.tickets)
        assert list(group.tickets) == sorted(group.tickets, key=lambda t: (t.queued_at, t.id))
        for a, b in combinations(group.tickets, 2):
            assert a.player.identity != b.player.identity
            assert frozenset((a.player.user_id, b.player.user_id)) not in blocked
            apart = abs(a.player.rating(group.mode) - b.player.rating(group.mode))
            assert apart <= window(a, now, CONFIG)
            assert apart <= window(b, now, CONFIG)


@calm
@given(ticket_sets(most=40), times, blocked_pairs)
def test_the_indexes_change_nothing(tickets, now, blocked) -> None:
    assert pair(tickets, now, CONFIG, blocked) == plain_pairing.pair(tickets, now, CONFIG, blocked)


def test_a_crowd_with_an_open_window_is_paired_as_without_indexes() -> None:
    rnd = random.Random(7)
    crowd = [
        ticket(n, at=rnd.randrange(60_000), rating=rnd.choice([rnd.gauss(1000, 200), 250 * n]))
        for n in range(120)
    ]
    for now in (20_000, 60_000, 80_000):
        assert pair(crowd, now, CONFIG) == plain_pairing.pair(crowd, now, CONFIG, frozenset())


def test_tickets_that_fit_nobody_are_not_compared(monkeypatch) -> None:
    compared = []
    monkeypatch.setattr(pairing, "fit", lambda *given: compared.append(given) or fit(*given))
    wishes = [DUEL, Wish(mode="duel", size=2, rated=True), Wish(mode="brawl")]
    far_apart = [ticket(n, *wishes, rating=1000 * n) for n in range(1000)]
    assert pair(far_apart, 30_000, CONFIG) == []
    assert compared == []
    crowd = [ticket(n, *wishes, at=n) for n in range(1000)]
    assert len(pair(crowd, 2_000, CONFIG)) == 500
    assert len(compared) < 2_000


@calm
@given(ticket_sets(), times, blocked_pairs, st.randoms(use_true_random=False))
def test_arrival_order_does_not_matter(tickets, now, blocked, rnd: random.Random) -> None:
    shuffled = list(tickets)
    rnd.shuffle(shuffled)
    assert pair(tickets, now, CONFIG, blocked) == pair(shuffled, now, CONFIG, blocked)


@calm
@given(ticket_sets(), times, blocked_pairs)
def test_nobody_is_left_who_could_have_played(tickets, now, blocked) -> None:
    used = {t.id for group in pair(tickets, now, CONFIG, blocked) for t in group.tickets}
    rest = [t for t in tickets if t.id not in used]
    for a, b in combinations(rest, 2):
        for wish in a.wishes:
            if wish.size == 2 and wish in b.wishes:
                assert not fit(a, b, wish.mode, now, CONFIG, blocked)


@calm
@given(ticket_sets(), blocked_pairs)
def test_a_second_wave_over_the_rest_makes_nothing(tickets, blocked) -> None:
    now = 60_000
    used = {t.id for group in pair(tickets, now, CONFIG, blocked) for t in group.tickets}
    assert pair([t for t in tickets if t.id not in used], now, CONFIG, blocked) == []


@calm
@given(ticket_sets(), times)
def test_bots_join_only_who_wants_them(tickets, now) -> None:
    groups = pair(tickets, now, CONFIG)
    used = {t.id for group in groups for t in group.tickets}
    for group in groups:
        for one in group.tickets if group.bots else ():
            assert one.bots in ("now", "later")
            if one.bots == "later":
                assert now - one.queued_at >= CONFIG.bots_after_ms
    for one in offers([t for t in tickets if t.id not in used], now, CONFIG):
        assert one.bots == "ask"
        assert now - one.queued_at >= CONFIG.bots_after_ms


def test_the_oldest_play_first() -> None:
    tickets = [ticket(n, at=100 - n) for n in range(3)]
    assert ids(pair(tickets, 200, CONFIG)) == [["t002", "t001"]]


def test_the_window_widens_until_it_is_open() -> None:
    near, far = ticket(1, rating=1000), ticket(2, rating=1300)
    assert pair([near, far], 9_000, CONFIG) == []
    assert ids(pair([near, far], 10_000, CONFIG)) == [["t001", "t002"]]
    stranger = ticket(3, rating=9000)
    assert pair([near, stranger], 44_999, CONFIG) == []
    assert window(near, 45_000, CONFIG) == inf
    assert len(pair([near, stranger], 45_000, CONFIG)) == 1


def test_blocked_players_never_meet() -> None:
    apart = {frozenset((1, 2))}
    assert pair([ticket(1), ticket(2)], 90_000, CONFIG, apart) == []
    assert ids(pair([ticket(1), ticket(2), ticket(3)], 90_000, CONFIG, apart)) == [["t001", "t003"]]


def test_a_blocked_candidate_does_not_spoil_a_larger_match() -> None:
    three = Wish(mode="brawl", size=3)
    tickets = [ticket(n, three, at=n) for n in range(4)]
    apart = {frozenset((1, 2)), frozenset((1, 3))}
    assert ids(pair(tickets, 10, CONFIG, apart)) == [["t000", "t002", "t003"]]


def test_any_takes_the_largest_that_can_be_had() -> None:
    everyone = Wish(mode="brawl")
    four = [ticket(n, everyone) for n in range(4)]
    assert [group.size for group in pair(four, 0, CONFIG)] == [4]
    assert pair(four[:3], 4_999, CONFIG) == []
    assert [group.size for group in pair(four[:3], 5_000, CONFIG)] == [3]
    assert pair(four[:2], 9_999, CONFIG) == []
    assert [group.size for group in pair(four[:2], 10_000, CONFIG)] == [2]


def test_any_joins_a_fixed_size_at_once() -> None:
    both = [ticket(1, Wish(mode="brawl")), ticket(2, Wish(mode="brawl", size=2), at=1)]
    assert [group.size for group in pair(both, 2, CONFIG)] == [2]


def test_wishes_are_tried_in_their_order() -> None:
    rated, casual = Wish(mode="duel", size=2, rated=True), DUEL
    both, other = ticket(1, rated, casual), ticket(2, casual, rated, at=1)
    assert [group.rated for group in pair([both, other], 2, CONFIG)] == [True]


def test_a_ticked_bot_joins_at_once_but_people_go_first() -> None:
    eager = ticket(1, bots="now")
    assert [(group.size, group.bots) for group in pair([eager], 0, CONFIG)] == [(2, 1)]
    assert [group.bots for group in pair([eager, ticket(2)], 0, CONFIG)] == [0]


def test_bots_fill_up_a_match_of_several_who_want_them() -> None:
    four = Wish(mode="brawl", size=4)
    (group,) = pair([ticket(1, four, bots="now"), ticket(2, four, bots="now")], 0, CONFIG)
    assert (len(group.tickets), group.bots) == (2, 2)


def test_a_text_player_gets_a_bot_late_and_only_when_alone() -> None:
    alone = ticket(1, bots="later")
    assert pair([alone], 19_999, CONFIG) == []
    assert [group.bots for group in pair([alone], 20_000, CONFIG)] == [1]
    stranger = ticket(2, rating=9000, bots="never")
    assert pair([alone, stranger], 20_000, CONFIG) == []


@calm
@given(st.integers(0, 2**32))
def test_after_long_waits_everybody_plays(seed: int) -> None:
    rnd = random.Random(seed)
    tickets = [ticket(n, at=rnd.randrange(1000), rating=rnd.randrange(3000)) for n in range(40)]
    groups = pair(tickets, 60_000, CONFIG)
    assert sum(len(group.tickets) for group in groups) == 40


def test_a_mode_without_bots_never_gets_one() -> None:
    config = replace(CONFIG, without_bots={"duel"})
    brawl = Wish(mode="brawl", size=2)
    alone = ticket(1, DUEL, bots="now")
    either = ticket(2, DUEL, brawl, bots="now")
    assert pair([alone], 10**6, config) == []
    assert [group.mode for group in pair([either], 10**6, config)] == ["brawl"]
    patient = ticket(3, DUEL, bots="ask")
    assert offers([patient], 10**9, config) == []
    assert offers([patient], 10**9, CONFIG) == [patient]


def test_a_wish_for_a_mode_that_is_gone_stops_nobody() -> None:
    gone = Wish(mode="gone", size=2)
    stale = [ticket(n, gone, bots="now") for n in (1, 2)]
    players = [ticket(n, DUEL) for n in (3, 4)]
    assert ids(pair([*stale, *players], 10**6, CONFIG)) == [["t003", "t004"]]
    both = ticket(5, gone, DUEL)
    assert ids(pair([*stale, both, players[0]], 10**6, CONFIG)) == [["t003", "t005"]]
    assert offers([ticket(6, gone, bots="ask")], 10**9, CONFIG) == []
