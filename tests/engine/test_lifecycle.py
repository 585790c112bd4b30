"""Every turn of the lifecycle, on the smallest game. `Table` compares folded views at each step."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine.claim import ClaimRules, State
from games.engine.errors import BadAction, BadDump, IllegalAction
from games.engine.game import ALL, Addressed, Input, Kind
from games.engine.lifecycle import Lifecycle
from games.engine.rng import commitment

from .table import SEED, Table

GRACE, LEAVE_GRACE, SETUP = 30_000, 10_000, 30_000


class TeamRules(ClaimRules):
    """Claim in two teams: even seats against odd ones."""

    spec = replace(ClaimRules.spec, name="team-claim")

    def teams(self, state: State) -> Sequence[int]:
        return [seat % 2 for seat in range(len(state.counts))]


class SlowRules(ClaimRules):
    """A set-up that the rules judge: each seat must have claimed a cell; `helped` fills in."""

    spec = replace(ClaimRules.spec, name="slow-claim", ready_check=False)
    helped = False

    def is_ready(self, state: State, seat: int) -> bool:
        return state.counts[seat] > 0

    def check_action(self, state: State, seat: int, action: Any, t: int, live: bool) -> None:
        super().check_action(state, seat, action, t, True)

    def setup_timeout(self, state: State, t: int) -> list[Any] | None:
        if not self.helped:
            return None
        for seat, count in enumerate(state.counts):
            state.counts[seat] = count or 1
        return []


def live(seats: int = 2, mode: Any = "claim", **options: Any) -> Table:
    """A match in its live phase since match time 1,000."""
    table = Table(mode, seats, **options)
    table.t = 1_000
    for seat in range(seats):
        table.act(seat, "ready")
    assert table.look(None)["phase"] == "live"
    return table


def outcome(table: Table) -> dict[str, Any]:
    return table.look(None)["outcome"]


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


# -- set-up ------------------------------------------------------------------------------------


def test_a_match_starts_when_everybody_is_ready() -> None:
    table = Table("claim", 3)
    assert table.look(1)["setup_ends"] == SETUP
    table.act(0, "ready")
    assert table.refused(0, "ready") == "already_ready"
    assert table.refused(0, "claim", cell=1) == "not_started"
    table.act(1, "ready")
    assert table.look(None)["phase"] == "setup"
    assert types(table.act(2, "ready")[None]) == ["ready", "started"]
    assert table.look(None)["phase"] == "live"
    assert table.refused(0, "ready") == "already_started"


def test_a_countdown_runs_once_everybody_is_ready() -> None:
    table = Table("claim", 2, countdown=3_000)
    table.act(0, "ready")
    table.t = SETUP - 1  # the countdown may go beyond the time of the set-up
    got = table.act(1, "ready")
    assert got[None] == [{"type": "ready", "seat": 1}, {"type": "starting", "t": SETUP + 2_999}]
    assert table.look(None)["setup_ends"] == SETUP + 2_999
    assert table.refused(0, "claim", cell=1) == "starting"
    assert table.refused(0, "ready") == "already_ready"
    table.reload()
    table.seat("drop", 1)
    table.wait_until(SETUP + 2_998)
    assert table.look(None)["phase"] == "setup"
    assert types(table.wait_until(SETUP + 2_999)[None]) == ["started", "dropped"]
    assert table.look(None)["seats"][1]["deadline"] == SETUP + 2_999 + GRACE


def test_nobody_starts_while_the_countdown_runs_and_giving_up_stops_it() -> None:
    table = Table("claim", 2, countdown=3_000)
    for seat in range(2):
        table.act(seat, "ready")
    assert types(table.act(0, "surrender")[None]) == ["over"]
    assert outcome(table)["absent"] == [0]
    table.wait_until(10_000)
    assert table.look(None)["phase"] == "over"


def test_the_set_up_does_not_change_during_the_countdown() -> None:
    table = Table(Lifecycle(SlowRules()), 2, countdown=3_000)
    table.act(0, "claim", cell=5)
    assert types(table.act(1, "claim", cell=6)[0]) == ["claimed", "ready", "starting"]
    assert table.refused(0, "claim", cell=7) == "starting"
    assert types(table.wait_until(3_000)[0]) == ["started"]


def test_a_set_up_that_is_not_finished_aborts_and_names_who_was_not_ready() -> None:
    table = Table("claim", 3)
    table.act(1, "ready")
    table.wait_until(SETUP - 1)
    assert outcome(table) is None
    table.wait_until(SETUP)
    assert outcome(table) == {
        "ranks": [1, 1, 1],
        "reason": "not_ready",
        "aborted": True,
        "absent": [0, 2],
        "scores": [],
    }
    assert table.refused(1, "ready") == "match_over"


def test_the_rules_judge_readiness_where_there_is_no_plain_check() -> None:
    table = Table(Lifecycle(SlowRules()), 2)
    with pytest.raises(BadAction):
        table.game.parse_action({"type": "ready"})
    assert types(table.act(1, "claim", cell=5)[0]) == ["claimed", "ready"]
    assert [seat["ready"] for seat in table.look(0)["seats"]] == [False, True]
    assert types(table.act(0, "claim", cell=6)[0]) == ["claimed", "ready", "started"]


def test_the_rules_may_finish_a_set_up_for_those_who_did_not() -> None:
    class Helped(SlowRules):
        helped = True

    table = Table(Lifecycle(Helped()), 2)
    table.wait_until(SETUP)
    assert table.look(0)["phase"] == "live"
    unhelped = Table(Lifecycle(SlowRules()), 2)
    unhelped.act(1, "claim", cell=5)
    unhelped.wait_until(SETUP)
    assert (outcome(unhelped)["reason"], outcome(unhelped)["absent"]) == ("not_ready", [0])


def test_giving_up_in_the_set_up_aborts_and_names_who() -> None:
    table = Table("claim", 2)
    table.act(1, "surrender")
    assert outcome(table)["aborted"]
    assert (outcome(table)["reason"], outcome(table)["absent"]) == ("surrender", [1])


def test_no_grace_runs_in_the_set_up_but_from_its_end() -> None:
    table = Table("claim", 2)
    table.act(0, "ready")
    table.seat("drop", 0)
    assert table.look(1)["seats"][0] | {"gone": 0, "deadline": None} == table.look(1)["seats"][0]
    table.t = 20_000
    table.act(1, "ready")
    assert table.look(1)["seats"][0]["deadline"] == 20_000 + GRACE


# -- drop, return, leave -----------------------------------------------------------------------


def test_a_dropped_seat_may_return_within_its_grace() -> None:
    table = live()
    assert table.seat("drop", 1)[0] == [
        {"type": "dropped", "seat": 1, "gone": 1_000, "deadline": 1_000 + GRACE}
    ]
    assert table.seat("drop", 1)[0] == []
    table.wait_until(GRACE)
    assert table.refused(0, "claim_win") == "nothing_to_claim"
    assert types(table.seat("return", 1)[0]) == ["returned"]
    assert table.seat("return", 1)[0] == []
    table.wait_until(10 * GRACE)
    assert outcome(table) is None
    assert table.refused(0, "claim_win") == "nothing_to_claim"


def test_a_deliberate_leave_has_a_shorter_grace_also_after_a_drop() -> None:
    table = live()
    table.seat("leave", 1)
    assert table.look(0)["seats"][1]["deadline"] == 1_000 + LEAVE_GRACE
    other = live()
    other.seat("drop", 1)
    assert types(other.seat("leave", 1)[0]) == ["left"]
    assert other.look(0)["seats"][1]["deadline"] == 1_000 + LEAVE_GRACE
    late = live()
    late.seat("drop", 1)
    late.t = 25_000
    assert late.seat("leave", 1)[0] == [], "a leave never makes the grace longer"
    assert late.look(0)["seats"][1]["deadline"] == 1_000 + GRACE


def test_the_other_side_may_claim_the_win_or_wait() -> None:
    table = live()
    table.act(1, "claim", cell=1)
    table.seat("drop", 1)
    assert table.wait_until(1_000 + GRACE)[0] == [{"type": "claimable", "seat": 1}]
    table.act(0, "claim", cell=2)
    assert table.refused(1, "claim_win") == "nothing_to_claim"
    table.t = 50_000
    assert types(table.act(0, "claim_win")[None]) == ["retired", "over"]
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([1, 2], "last_one_left")
    assert not outcome(table)["aborted"]


def test_a_player_who_returns_while_the_other_waits_plays_on() -> None:
    table = live()
    table.seat("drop", 1)
    table.wait_until(2 * GRACE)
    table.seat("return", 1)
    assert table.refused(0, "claim_win") == "nothing_to_claim"
    table.act(1, "claim", cell=3)


@pytest.mark.parametrize(("back", "ranks"), [(False, [1, 2]), (True, [2, 1])])
def test_a_seat_past_its_grace_when_the_match_ends_is_behind_though_nobody_claimed(
    back: bool, ranks: list[int]
) -> None:
    table = live(seconds=100)
    table.act(1, "claim", cell=1)
    table.seat("drop", 1)
    table.wait_until(90_000)
    if back:
        table.seat("return", 1)
    table.wait_until(101_000)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == (ranks, "time")


def test_surrender_gives_the_win_to_the_other() -> None:
    table = live()
    table.act(0, "surrender")
    assert outcome(table)["ranks"] == [2, 1]
    assert table.refused(0, "surrender") == "match_over"


def test_with_three_a_seat_past_its_grace_is_out_and_the_rest_play_on() -> None:
    table = live(3)
    table.seat("drop", 0)
    got = table.wait_until(1_000 + GRACE)
    assert got[1] == [{"type": "retired", "seat": 0, "t": 1_000 + GRACE, "why": "gone"}]
    assert table.refused(0, "claim", cell=1) == "out_of_match"
    assert table.seat("return", 0)[1] == []
    table.act(1, "claim", cell=1)
    table.t += 1
    table.act(2, "surrender")
    assert outcome(table)["ranks"] == [3, 1, 2]


def test_forfeits_are_placed_behind_all_others_the_last_to_go_first() -> None:
    table = live(4, seconds=100)
    table.act(0, "claim", cell=0)
    table.act(0, "surrender")
    table.t = 2_000
    table.act(1, "surrender")
    table.act(3, "claim", cell=1)
    table.wait_until(101_000)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([4, 3, 2, 1], "time")
    assert outcome(table)["scores"] == [1, 0, 0, 1]


def test_a_seat_that_goes_later_in_the_log_is_placed_better_even_in_the_same_millisecond() -> None:
    table = live(4)
    for seat in (2, 0, 3):
        table.act(seat, "surrender")
        if outcome(table) is None:
            table.reload()
    assert outcome(table)["ranks"] == [3, 1, 4, 2]


def test_graces_that_end_together_count_from_when_the_seats_went() -> None:
    """One dropped, another left for good 20 s later: both graces end at 31 s."""
    table = live(4)
    table.seat("drop", 2)
    table.t = 21_000
    table.seat("leave", 0)
    table.wait_until(1_000 + GRACE)
    table.act(1, "surrender")
    assert outcome(table)["ranks"] == [3, 2, 4, 1]
    together = live(4)
    for seat in (2, 0):
        together.seat("drop", seat)
    together.wait_until(1_000 + GRACE)
    together.act(1, "surrender")
    assert outcome(together)["ranks"] == [3, 2, 3, 1]


def test_when_everybody_is_gone_who_went_first_is_out_first() -> None:
    table = live()
    table.seat("drop", 0)
    table.t = 5_000
    table.seat("drop", 1)
    table.wait_until(4_999 + GRACE)
    assert outcome(table) is None
    table.wait_until(5_000 + GRACE)
    assert (outcome(table)["ranks"], outcome(table)["reason"]) == ([2, 1], "last_one_left")


def test_when_all_went_at_the_same_moment_the_match_is_aborted() -> None:
    table = live(3)
    for seat in range(3):
        table.seat("drop", seat)
    table.wait_until(1_000 + GRACE)
    assert outcome(table)["aborted"]
    assert (outcome(table)["reason"], outcome(table)["absent"]) == ("abandoned", [0, 1, 2])


# -- teams -------------------------------------------------------------------------------------


def test_a_team_plays_on_while_one_of_it_is_there_and_wins_together() -> None:
    table = live(4, Lifecycle(TeamRules()))
    assert [seat["team"] for seat in table.look(0)["seats"]] == [0, 1, 0, 1]
    table.seat("drop", 1)
    table.wait_until(1_000 + GRACE)
    assert table.refused(0, "claim_win") == "nothing_to_claim"
    table.act(3, "surrender")
    table.act(0, "claim_win")
    assert outcome(table)["ranks"] == [1, 2, 1, 2]


def test_claiming_the_win_does_not_put_an_absent_partner_out() -> None:
    table = live(4, Lifecycle(TeamRules()))
    for seat in (1, 2, 3):
        table.t += 1
        table.seat("drop", seat)
    table.wait_until(2 * GRACE)
    table.act(0, "claim_win")
    assert outcome(table)["ranks"] == [1, 2, 1, 2]
    assert table.look(0)["seats"][2]["retired"] is None


def test_a_surrendered_partner_still_wins_with_the_team() -> None:
    table = live(4, Lifecycle(TeamRules()))
    table.act(2, "surrender")
    assert outcome(table) is None
    table.act(1, "surrender")
    table.act(3, "surrender")
    assert outcome(table)["ranks"] == [1, 2, 1, 2]


# -- seats that the site lost ------------------------------------------------------------------


def lost_by_the_site(table: Table, seat: int) -> None:
    table.give(Input(table.ORIGIN + table.t, Kind.DROP, seat, reason="outage"))


def test_a_seat_that_the_site_lost_has_a_minute_and_then_nobody_wins() -> None:
    table = live()
    lost_by_the_site(table, 1)
    assert table.look(0)["seats"][1]["deadline"] == 61_000
    table.wait_until(60_999)
    assert table.refused(0, "claim_win") == "nothing_to_claim"
    table.reload()
    table.wait_until(61_000)
    ended = outcome(table)
    assert (ended["aborted"], ended["reason"], ended["absent"]) == (True, "outage", [])


def test_a_seat_that_the_site_lost_and_that_came_back_has_the_usual_grace() -> None:
    table = live()
    lost_by_the_site(table, 1)
    table.seat("return", 1)
    table.seat("drop", 1)
    table.wait_until(1_000 + GRACE)
    table.act(0, "claim_win")
    assert outcome(table)["ranks"] == [1, 2]


def test_a_seat_that_the_site_lost_in_the_set_up_is_not_named_as_absent() -> None:
    table = Table("claim", 2)
    table.act(0, "ready")
    lost_by_the_site(table, 1)
    table.wait_until(SETUP)
    ended = outcome(table)
    assert (ended["aborted"], ended["reason"], ended["absent"]) == (True, "not_ready", [])


# -- time --------------------------------------------------------------------------------------


def test_an_outage_shifts_time_and_is_held_against_nobody() -> None:
    table = live(seconds=60)
    table.t = 10_000
    table.seat("drop", 1)
    at = Table.ORIGIN + 500_000
    got = table.give(Input(at, Kind.OUTAGE, ms=485_000))
    # The site was up until 15 s: 5 s of the grace have passed, the rest lies ahead.
    assert got[0] == [{"type": "clock", "origin": Table.ORIGIN + 485_000}]
    assert table.game.due(table.state) == at + GRACE - 5_000
    table.give(Input(at + GRACE - 5_001, Kind.RETURN, 1))
    assert outcome(table) is None
    assert table.game.due(table.state) == at + 61_000 - 15_000


def test_an_outage_does_not_reach_behind_what_has_happened() -> None:
    table = live()
    table.t = 10_000
    table.act(0, "claim", cell=1)
    table.give(Input(Table.ORIGIN + 12_000, Kind.OUTAGE, ms=100_000))
    assert table.state.now == 10_000
    assert table.state.origin == Table.ORIGIN + 2_000


def test_an_outage_in_the_set_up_gives_everybody_the_rest_of_it() -> None:
    table = Table("claim", 2)
    table.give(Input(Table.ORIGIN + 90_000, Kind.OUTAGE, ms=80_000))
    assert table.game.due(table.state) == Table.ORIGIN + SETUP + 80_000


def test_timers_fire_at_their_own_time_however_late_the_entry() -> None:
    table = live(3, seconds=60)
    table.seat("drop", 2)
    table.act(0, "claim", cell=0)
    got = table.wait_until(1_000_000)
    assert [(e["type"], e["t"]) for e in got[None]] == [("retired", 31_000), ("over", 61_000)]
    assert table.game.due(table.state) is None


def test_a_timer_that_does_not_fire_is_a_bug_and_no_endless_loop() -> None:
    class Stuck(ClaimRules):
        def advance(self, state: State, t: int) -> list[Any]:
            return []

    table = live(2, Lifecycle(Stuck()), seconds=1)
    with pytest.raises(RuntimeError, match="did not fire"):
        table.wait_until(5_000)


def test_a_timer_that_moves_back_is_a_bug_and_no_endless_loop() -> None:
    class Backward(ClaimRules):
        def advance(self, state: State, t: int) -> list[Any]:
            state.ends -= 1
            return []

    table = live(2, Lifecycle(Backward()), seconds=1)
    with pytest.raises(RuntimeError, match=r"After the timers of 2000 ms, due\(\) is 1999;"):
        table.wait_until(5_000)


def test_timers_at_the_same_moment_fire_together() -> None:
    """Two timers of the rules, and the end of a grace."""

    class Twice(ClaimRules):
        left = 2

        def due(self, state: State) -> int | None:
            return 31_000 if self.left else super().due(state)

        def advance(self, state: State, t: int) -> list[Any]:
            out = []
            while self.left and t >= 31_000:
                self.left -= 1
                state.owners[self.left] = 0
                out.append(Addressed(ALL, {"type": "claimed", "cell": self.left, "seat": 0}))
            return out

    table = live(3, Lifecycle(Twice()))
    table.seat("drop", 2)
    got = table.wait_until(31_000)
    assert [event["type"] for event in got[None]] == ["retired", "claimed", "claimed"]


def test_a_fault_of_a_timer_does_not_prevent_the_abort() -> None:
    class Stuck(ClaimRules):
        def advance(self, state: State, t: int) -> list[Any]:
            raise ValueError("on purpose")

    table = live(2, Lifecycle(Stuck()), seconds=1)
    table.give(Input(Table.ORIGIN + 5_000, Kind.ABORT, reason="fault"))
    assert outcome(table)["aborted"]
    assert outcome(table)["reason"] == "fault"
    assert table.state.now == 5_000
    assert table.give(Input(Table.ORIGIN + 6_000, Kind.ABORT, reason="fault"))[0] == []


# -- the end -----------------------------------------------------------------------------------


def test_the_site_can_abort_at_any_time() -> None:
    table = live()
    table.give(Input(Table.ORIGIN + 2_000, Kind.ABORT, reason="server_error"))
    assert outcome(table)["aborted"]
    assert (outcome(table)["reason"], outcome(table)["absent"]) == ("server_error", [])
    again = table.give(Input(Table.ORIGIN + 3_000, Kind.ABORT, reason="twice"))
    assert again[0] == []


def test_seed_and_deal_are_disclosed_at_the_end_and_fit_the_commitment() -> None:
    table = Table("claim", 2, deal=b"dealt")
    view = table.look(None)
    assert (view["seed"], view["deal"], view["truth"]) == (None, None, None)
    table.act(0, "surrender")
    over = table.look(None)
    assert (over["seed"], over["deal"]) == (SEED.hex(), b"dealt".hex())
    seed, deal = bytes.fromhex(over["seed"]), bytes.fromhex(over["deal"])
    assert commitment(seed, deal) == view["commitment"]


@pytest.mark.parametrize("seat", [-1, 2, 6, 99, None])
@pytest.mark.parametrize("ended", [False, True])
def test_entries_of_seats_that_do_not_exist_change_nothing(seat: int | None, ended: bool) -> None:
    table = live()
    if ended:
        table.act(0, "surrender")
    before = table.game.dump(table.state)
    action = table.game.parse_action({"type": "surrender"})
    for kind in (Kind.ACTION, Kind.DROP, Kind.RETURN, Kind.LEAVE):
        got = table.give(Input(Table.ORIGIN + table.t, kind, seat, action))
        assert not any(got.values())
    assert table.game.dump(table.state) == before


@pytest.mark.parametrize("seat", [-1, 2, None])
def test_only_a_player_may_act(seat: int | None) -> None:
    table = live()
    with pytest.raises(IllegalAction) as caught:
        table.game.check(table.state, seat, table.game.parse_action({"type": "surrender"}))
    assert caught.value.code == "not_a_player"


def test_a_kind_is_known_by_its_word_too() -> None:
    """As it stands in a log, without the enum around it."""
    by_word, by_kind = live(), live()
    action = by_kind.game.parse_action({"type": "claim", "cell": 1})
    given = [("action", 0, action), ("tick", 0, None), ("drop", 1, None), ("return", 1, None)]
    for kind, seat, act in [*given, ("leave", 1, None), ("outage", None, None)]:
        by_word.give(Input(Table.ORIGIN + 1_000, kind, seat, act, 100))
        by_kind.give(Input(Table.ORIGIN + 1_000, Kind(kind), seat, act, 100))
    assert by_word.events == by_kind.events
    assert by_word.game.dump(by_word.state) == by_kind.game.dump(by_kind.state)


@pytest.mark.parametrize("kind", ["surrender", "claim_win", "ready"])
def test_actions_of_the_lifecycle_take_no_fields(kind: str) -> None:
    with pytest.raises(BadAction) as caught:
        live().game.parse_action({"type": kind, "cell": 1})
    assert caught.value.code == "bad_action"


# -- snapshots ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: b"",
        lambda raw: b"\xff\xfe",
        lambda raw: b"[]",
        lambda raw: raw[:-20],
        lambda raw: raw.replace(b'"claim"', b'"race"'),
        lambda raw: raw.replace(b'"seconds"', b'"minutes"'),
        lambda raw: raw.replace(b'"connected"', b'"attached"'),
        lambda raw: json.dumps(json.loads(raw) | {"game": []}).encode(),
        lambda raw: json.dumps(json.loads(raw) | {"setup": None}).encode(),
    ],
)
def test_a_snapshot_that_cannot_be_read_is_refused(spoil: Any) -> None:
    table = live()
    raw = table.game.dump(table.state)
    spoilt = spoil(raw)
    assert spoilt != raw
    with pytest.raises(BadDump):
        table.game.load(spoilt)
