"""Area Attack: stages, freezes, regeneration and placement, sentence by sentence of the rules."""

from __future__ import annotations

import pytest

from games.engine.game import Event, Viewer
from games.modes.area_attack.rules.generation import number
from games.modes.area_attack.rules.seeing import EXPOSED_MINE, FLAGGED, HIDDEN, OWNED_BY
from games.modes.area_attack.rules.state import EXPOSED, FREE
from games.modes.area_attack.tests.battlefield import BEGAN, POCKET, SIZE, at, battlefield, block
from tests.engine.table import Table

CORNERS = {0: [at(0, 0)], 1: [at(15, 15)], 2: [at(15, 0)]}
MINE = at(7, 7)
ATTACK_AT, LOCK_AT, END_AT = BEGAN + 180_000, BEGAN + 360_000, BEGAN + 420_000


def kinds(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def game(table: Table, viewer: Viewer) -> dict:
    return table.look(viewer)["game"]


# -- stages --------------------------------------------------------------------------------------


def test_stages_start_at_3_00_and_6_00_and_the_match_ends_at_7_00() -> None:
    table = battlefield([MINE], CORNERS)
    stage_of = lambda: game(table, None)["stage"]  # noqa: E731
    for t, stage in [(ATTACK_AT - 1, 1), (ATTACK_AT, 2), (LOCK_AT - 1, 2), (LOCK_AT, 3)]:
        table.wait_until(t)
        assert stage_of() == stage
    table.wait_until(END_AT - 1)
    assert table.look(None)["phase"] == "live"
    table.wait_until(END_AT)
    assert table.look(None)["outcome"]["reason"] == "time"


def test_a_late_tick_fires_everything_at_its_own_time() -> None:
    table = battlefield([MINE], CORNERS)
    got = table.wait_until(END_AT + 100_000)
    assert kinds(got[None]) == ["stage", "stage", "over"]
    assert got[None][-1]["t"] == END_AT


def test_stages_start_at_50_and_80_percent_of_the_safe_cells_claimed() -> None:
    mines = [MINE, at(0, 15)]
    table = battlefield(mines, {}, attack_at_claimed=0.5, lock_at_claimed=0.8)
    inner = table.inner

    def claim_up_to(count: int) -> list[Event]:
        """Own that many cells, the last one by a claim beside a mine, which does not flood."""
        last = at(6, 6)
        others = [c for c in range(SIZE * SIZE) if c not in (*mines, last)]
        for cell in range(SIZE * SIZE):
            inner.owners[cell] = FREE
        for cell in (at(6, 7), *[c for c in others if c != at(6, 7)][: count - 2]):
            inner.owners[cell] = 0
        inner.areas[0] = count - 1
        table.views = {viewer: table.look(viewer) for viewer in table.viewers}
        return table.act(0, "claim", cell=last)[1]

    table.t = 50_000
    assert inner.safe == 254
    assert kinds(claim_up_to(126)) == ["claimed"]
    assert kinds(claim_up_to(127)) == ["claimed", "stage"]
    assert game(table, None)["stage"] == 2
    assert kinds(claim_up_to(203)) == ["claimed"]
    assert kinds(claim_up_to(204)) == ["claimed", "stage"]
    assert (game(table, None)["stage"], game(table, None)["ends"]) == (3, 110_000)
    assert kinds(claim_up_to(100)) == ["claimed"]  # a stage never goes back
    assert game(table, None)["stage"] == 3
    table.wait_until(110_000)
    assert table.look(None)["outcome"]["reason"] == "time"


def test_both_thresholds_passed_at_once_start_stage_3() -> None:
    table = battlefield([MINE, *POCKET], CORNERS, attack_at_claimed=0.5, lock_at_claimed=0.8)
    got = table.act(0, "claim", cell=at(0, 5))
    assert kinds(got[1]) == ["claimed", "stage"]
    assert got[1][1] == {"type": "stage", "stage": 3, "began": BEGAN, "ends": BEGAN + 60_000}


def test_lock_by_area_near_its_time_never_makes_the_match_longer() -> None:
    table = battlefield([MINE], CORNERS, lock_at_claimed=1, attack_at_seconds=2, lock_at_seconds=4)
    assert game(table, None)["ends"] == BEGAN + 64_000
    table.wait_until(BEGAN + 4_000)
    assert game(table, None)["ends"] == BEGAN + 64_000


def test_it_ends_early_when_every_safe_cell_is_claimed() -> None:
    table = battlefield([at(8, y) for y in range(16)], {0: [at(0, 0)], 1: [at(15, 15)]})
    table.act(0, "claim", cell=at(1, 1))
    assert table.look(None)["phase"] == "live"
    got = table.act(1, "claim", cell=at(12, 12))
    assert kinds(got[0])[-1] == "over"
    outcome = table.look(None)["outcome"]
    assert (outcome["reason"], outcome["scores"], outcome["ranks"]) == (
        "cleared",
        [128, 112],
        [1, 2],
    )
    truth = table.look(1)["truth"]
    assert truth["mines"] == [at(8, y) for y in range(16)]
    assert truth["owners"][:2] == [0, 0]


def test_from_stage_2_only_cells_8_adjacent_to_ones_own_area_may_be_claimed() -> None:
    table = battlefield([at(3, 3), at(12, 12)], {0: [at(4, 4)], 1: [at(15, 15)]})
    table.act(0, "claim", cell=at(2, 2))  # anywhere in stage 1
    table.wait_until(ATTACK_AT)
    assert table.refused(0, "claim", cell=at(12, 11)) == "not_adjacent"
    assert table.refused(0, "claim", cell=at(6, 6)) == "not_adjacent"
    table.act(0, "claim", cell=at(5, 5))


def test_a_player_with_no_cells_left_may_claim_anywhere() -> None:
    table = battlefield([at(3, 3), at(12, 12)], {1: [at(15, 15)]})
    table.wait_until(ATTACK_AT)
    table.act(0, "claim", cell=at(4, 4))
    assert game(table, None)["areas"] == [1, 1]


# -- freeze --------------------------------------------------------------------------------------


def test_a_mine_freezes_the_player_and_opponents_see_it_and_until_when() -> None:
    table = battlefield([MINE], CORNERS, seats=3, freeze_seconds=10)
    table.t = 5_000
    got = table.act(0, "claim", cell=MINE)
    struck = {"type": "struck", "seat": 0, "cell": MINE, "until": 15_000}
    assert got[0] == got[1] == got[2] == got[None] == [struck]
    for viewer in table.viewers:
        assert game(table, viewer)["frozen"] == [{"until": 15_000, "cell": MINE}, None, None]
        assert game(table, viewer)["struck"] == [1, 0, 0]
        assert game(table, viewer)["cells"][MINE] == HIDDEN  # not exposed yet


def test_frozen_no_action_is_accepted() -> None:
    table = battlefield([MINE], CORNERS)
    table.act(0, "claim", cell=MINE)
    for kind, fields in [("claim", {}), ("flag", {"on": True}), ("chord", {})]:
        for cell in (at(3, 3), at(15, 15), at(0, 0), -1):
            assert table.refused(0, kind, cell=cell, **fields) == "frozen"
    table.wait_until(BEGAN + 10_000)
    table.act(0, "flag", cell=at(3, 3), on=True)


def test_frozen_no_board_information_at_all_then_one_catch_up() -> None:
    table = battlefield([MINE, at(3, 12), at(12, 3)], CORNERS, seats=3)
    table.act(0, "flag", cell=at(8, 8), on=True)
    table.act(0, "claim", cell=MINE)
    before = table.look(0)
    heard = len(table.events[0])
    table.t = BEGAN + 1_000
    table.act(1, "claim", cell=at(8, 8))  # on the frozen player's flag
    table.act(2, "claim", cell=at(12, 3))  # another one freezes
    table.act(1, "claim", cell=at(4, 12))
    table.reload()
    assert table.look(0) == before
    assert len(table.events[0]) == heard
    got = table.wait_until(BEGAN + 10_000)
    assert kinds(got[0]) == ["caught_up"]
    assert kinds(got[1]) == kinds(got[None]) == ["thawed"]
    assert got[2] == []  # still frozen
    changed = dict(zip(got[0][0]["cells"], got[0][0]["codes"], strict=True))
    assert changed == {MINE: EXPOSED_MINE, at(8, 8): OWNED_BY + 1, at(4, 12): OWNED_BY + 1}
    assert got[0][0]["strikes"] == [{"seat": 2, "cell": at(12, 3)}]  # what was held back
    assert game(table, 0)["frozen"] == [None, None, {"until": BEGAN + 11_000, "cell": at(12, 3)}]
    got = table.wait_until(BEGAN + 11_000)
    assert kinds(got[2]) == ["caught_up"]
    assert set(got[2][0]["cells"]) == {MINE, at(12, 3), at(4, 12)}


@pytest.mark.parametrize("by_area", [False, True])
def test_a_frozen_player_hears_of_a_stage_with_the_catch_up(by_area: bool) -> None:
    claimed = 0.5 if by_area else 1
    mines = [MINE, *POCKET]
    table = battlefield(mines, CORNERS, attack_at_claimed=claimed, attack_at_seconds=5)
    table.act(0, "claim", cell=MINE)
    table.t = BEGAN + 1_000
    if by_area:
        table.act(1, "claim", cell=at(14, 14))
    else:
        table.wait_until(BEGAN + 5_000)
    assert game(table, 1)["stage"] == 2
    assert game(table, 0)["stage"] == 1
    got = table.wait_until(BEGAN + 10_000)
    assert (got[0][0]["type"], got[0][0]["stage"]) == ("caught_up", 2)


def test_when_the_freeze_ends_its_mine_is_exposed_for_everyone_and_cannot_be_claimed() -> None:
    table = battlefield([MINE], CORNERS)
    table.act(1, "flag", cell=MINE, on=True)
    table.act(0, "claim", cell=MINE)
    got = table.wait_until(BEGAN + 10_000)
    thawed = {"type": "thawed", "seat": 0, "exposed": MINE}
    assert got[1] == got[None] == [thawed]
    for viewer in table.viewers:
        assert game(table, viewer)["cells"][MINE] == EXPOSED_MINE
        assert game(table, viewer)["frozen"] == [None, None]
    for seat in (0, 1):
        assert table.refused(seat, "claim", cell=MINE) == "exposed_mine"


def test_a_mine_not_yet_exposed_can_be_struck_by_another_and_is_exposed_once() -> None:
    table = battlefield([MINE], CORNERS)
    table.act(0, "claim", cell=MINE)
    table.t = BEGAN + 4_000
    table.act(1, "claim", cell=MINE)
    got = table.wait_until(BEGAN + 10_000)
    assert got[None] == [{"type": "thawed", "seat": 0, "exposed": MINE}]
    got = table.wait_until(BEGAN + 14_000)
    assert got[None] == [{"type": "thawed", "seat": 1, "exposed": None}]
    assert game(table, 1)["cells"][MINE] == EXPOSED_MINE


def test_a_freeze_runs_on_in_stage_2_and_a_regeneration_takes_its_mine_away() -> None:
    table = battlefield([MINE, at(8, 8)], {0: [at(0, 0)], 1: [at(9, 9)]}, attack_at_seconds=5)
    table.act(0, "claim", cell=MINE)
    table.wait_until(BEGAN + 5_000)
    table.act(1, "claim", cell=at(8, 8))
    got = table.wait_until(BEGAN + 10_000)
    assert got[1] == [{"type": "thawed", "seat": 0, "exposed": None}]
    assert game(table, 0)["cells"][MINE] == HIDDEN


def test_when_the_match_ends_every_freeze_ends_with_it() -> None:
    table = battlefield([MINE], CORNERS, attack_at_seconds=2, lock_at_seconds=3, lock_seconds=1)
    table.act(0, "claim", cell=MINE)
    got = table.wait_until(BEGAN + 4_000)
    assert kinds(got[0]) == ["caught_up", "over"]
    assert game(table, 0) == {**game(table, 1), "cells": game(table, 0)["cells"]}


def test_a_frozen_player_may_surrender() -> None:
    table = battlefield([MINE], CORNERS)
    table.act(0, "claim", cell=MINE)
    table.act(0, "surrender")
    assert table.look(0)["outcome"]["ranks"] == [2, 1]


# -- regeneration --------------------------------------------------------------------------------


def attack(mines: list[int], owned: dict[int, list[int]], **options: object) -> Table:
    table = battlefield(mines, owned, seats=3, **options)
    table.wait_until(ATTACK_AT)
    return table


REGION = block(4, 4, 10, 10)


def test_a_mine_in_stage_2_does_not_freeze_the_7x7_becomes_unowned_hidden_and_rolled_anew() -> None:
    owned = {0: [at(6, 6), at(0, 0)], 1: block(8, 8, 12, 12), 2: [at(4, 4), at(15, 0)]}
    table = attack([MINE, at(10, 4)], owned, exposed=[at(10, 4)])
    table.act(0, "flag", cell=at(5, 5), on=True)
    table.act(1, "flag", cell=at(3, 3), on=True)
    got = table.act(0, "claim", cell=MINE)
    assert kinds(got[0]) == kinds(got[1]) == kinds(got[None]) == ["struck", "regenerated"]
    assert got[0][0]["until"] is None
    inner = table.inner
    for viewer in table.viewers:
        seen = game(table, viewer)
        assert all(seen["cells"][cell] == HIDDEN for cell in REGION)
        assert seen["areas"] == [1, 25 - 9, 1]
        assert seen["struck"] == [1, 0, 0]
        assert seen["frozen"] == [None] * 3
    assert game(table, 1)["cells"][at(3, 3)] == FLAGGED  # outside: kept
    assert inner.mines[MINE] == 0  # the struck mine goes
    assert sum(inner.mines[cell] for cell in REGION) > 2
    assert inner.numbers == number(inner.grid, inner.mines)
    assert inner.safe == SIZE * SIZE - sum(inner.mines)
    assert not any(inner.owners[cell] == EXPOSED for cell in REGION)


def test_the_struck_mine_goes_whatever_is_rolled_around_it() -> None:
    for k in range(12):
        table = attack([MINE], {1: [at(0, 0)]}, seed=bytes([k]) * 32, density=0.35)
        table.act(0, "claim", cell=MINE)
        assert table.inner.mines[MINE] == 0


def test_owners_of_the_rim_get_their_changed_numbers_and_nobody_elses() -> None:
    rim = sorted(set(block(3, 3, 11, 11)) - set(REGION))
    owned = {0: [at(6, 6)], 1: rim[: len(rim) // 2], 2: rim[len(rim) // 2 :]}
    table = attack([MINE, *block(4, 9, 10, 10)], owned)
    before = bytes(table.inner.numbers)
    got = table.act(0, "claim", cell=MINE)
    after = table.inner.numbers
    for seat in (1, 2):
        changed = [cell for cell in owned[seat] if before[cell] != after[cell]]
        event = got[seat][1]
        assert sorted(event["rim"]) == changed
        assert changed
        assert event["numbers"] == [after[cell] for cell in event["rim"]]
        assert [game(table, seat)["cells"][cell] for cell in owned[seat]] == [
            after[cell] for cell in owned[seat]
        ]
    assert got[0][1]["rim"] == got[None][1]["rim"] == []
    assert any(before[cell] == 0 for cell in rim)  # a zero may become a number


def test_each_strike_rolls_with_a_stream_of_its_own_and_the_seed_tells_all() -> None:
    rolled = []
    for _ in range(2):
        table = attack([at(4, 4), at(12, 12)], {1: [at(8, 8)]})
        regions = [table.act(0, "claim", cell=at(c, c))[0][1]["cells"] for c in (4, 12)]
        rolled.append([[table.inner.mines[cell] for cell in region] for region in regions])
    assert rolled[0] == rolled[1]
    assert rolled[0][0] != rolled[0][1]


@pytest.mark.parametrize("corner", [at(0, 0), at(15, 0), at(0, 15), at(15, 15)])
def test_a_region_ends_at_the_edge_of_the_board(corner: int) -> None:
    table = attack([corner, at(7, 1)], {1: [at(7, 7)]})
    got = table.act(0, "claim", cell=corner)
    assert len(got[0][1]["cells"]) == 16
    assert table.inner.numbers == number(table.inner.grid, table.inner.mines)


def test_a_chord_in_stage_2_stops_at_its_mine() -> None:
    table = attack([at(4, 4), at(6, 6)], {0: [at(5, 5)], 1: [at(15, 15)]}, attack_radius=1)
    for cell in (at(5, 4), at(6, 4)):
        table.act(0, "flag", cell=cell, on=True)
    got = table.act(0, "chord", cell=at(5, 5))
    assert kinds(got[1]) == ["struck", "regenerated"]
    assert game(table, 0)["areas"][0] == 0


def test_in_stage_3_a_mine_both_freezes_and_regenerates_and_the_player_sees_it_later() -> None:
    table = battlefield([MINE], {0: [at(6, 6), at(3, 3)], 1: [at(15, 15)]})
    table.wait_until(LOCK_AT)
    got = table.act(0, "claim", cell=MINE)
    assert kinds(got[0]) == ["struck"]
    assert kinds(got[1]) == kinds(got[None]) == ["struck", "regenerated"]
    assert got[0][0]["until"] == LOCK_AT + 10_000
    assert (game(table, 0)["areas"], game(table, 1)["areas"]) == ([2, 1], [1, 1])
    got = table.wait_until(LOCK_AT + 10_000)
    assert kinds(got[0]) == ["caught_up"]
    assert got[1] == [{"type": "thawed", "seat": 0, "exposed": None}]
    assert game(table, 0)["areas"] == [1, 1]
    assert game(table, 0)["cells"][at(6, 6)] == HIDDEN
    # The number of the own rim cell is the new one.
    assert game(table, 0)["cells"][at(3, 3)] == table.inner.numbers[at(3, 3)]


# -- placement -----------------------------------------------------------------------------------


def placed(areas: list[int], struck: list[int]) -> list[int]:
    table = battlefield([MINE], {}, seats=len(areas))
    table.inner.areas[:], table.inner.struck[:] = areas, struck
    table.views = {viewer: table.look(viewer) for viewer in table.viewers}
    table.wait_until(END_AT)
    return table.look(None)["outcome"]["ranks"]


def test_placement_by_area_ties_by_fewer_mines_struck_then_shared() -> None:
    assert placed([5, 9, 7, 1], [0, 0, 0, 0]) == [3, 1, 2, 4]
    assert placed([5, 5, 7, 5], [1, 0, 3, 2]) == [3, 2, 1, 4]
    assert placed([5, 5, 7, 7], [1, 1, 0, 0]) == [3, 3, 1, 1]


def test_a_player_who_leaves_for_good_keeps_area_is_placed_last_and_the_match_goes_on() -> None:
    table = battlefield([MINE], {0: block(0, 0, 3, 3), 1: [at(15, 15)], 2: [at(15, 0)]}, seats=3)
    table.act(0, "surrender")
    view = table.look(None)
    assert view["phase"] == "live"
    assert view["game"]["areas"] == [16, 1, 1]
    assert table.refused(1, "claim", cell=at(0, 0)) == "taken"
    table.t += 1
    table.act(1, "surrender")
    outcome = table.look(None)["outcome"]
    assert (outcome["reason"], outcome["ranks"]) == ("last_one_left", [3, 2, 1])
