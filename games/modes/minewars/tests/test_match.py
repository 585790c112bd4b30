"""The ban stage, the start, the ways to win, empires of two, and what spectators see."""

from __future__ import annotations

from hashlib import sha256
from itertools import combinations

import pytest

from games.engine.errors import BadOptions
from games.engine.game import Input, Kind
from games.engine.registry import MODES
from games.modes.minewars.rules.opening import draw_starts
from games.modes.minewars.rules.state import is_land
from games.modes.minewars.rules.tiles import DECOY, LAND, MINE
from tests.engine.table import Table

from .arena import RULES, Arena
from .test_capture import besiege

SMALL = {"radius": 9, "cities": 4}


# -- ban stage -----------------------------------------------------------------------------------


def test_the_ban_stage_lasts_fifteen_seconds() -> None:
    t = Table("minewars", 2, **SMALL)
    t.wait_until(14_999)
    assert t.look(0)["phase"] == "setup"
    assert t.refused(0, "capture", cell=0) == "not_started"
    t.wait_until(15_000)
    assert t.look(0)["phase"] == "live"
    assert t.refused(0, "vote", cities=[0]) == "no_ban"


def test_votes_are_for_up_to_two_cities_and_secret_until_time_is_up() -> None:
    t = Table("minewars", 2, **SMALL)
    got = t.act(0, "vote", cities=[0, 1])
    assert [e["type"] for e in got[0]] == ["voted"]
    assert got[1] == []
    assert got[None] == []
    assert t.look(1)["game"]["votes"] is None
    assert t.refused(1, "vote", cities=[4]) == "no_such_city"
    t.act(1, "vote", cities=[2, 0])
    t.act(1, "vote", cities=[1])  # a vote can be changed
    got = t.wait_until(15_000)
    for viewer in t.viewers:
        assert {"type": "votes", "votes": [[0, 1], [1]], "banned": 1} in got[viewer]


def test_the_most_voted_city_is_nobodys_start() -> None:
    for city in range(4):
        t = Table("minewars", 2, **SMALL)
        t.act(0, "vote", cities=[city])
        t.wait_until(15_000)
        assert t.inner.banned == city
        assert t.inner.city_owner(city) == 0


def test_a_tie_is_decided_by_the_seed() -> None:
    banned = set()
    for i in range(12):
        seed = sha256(b"tie %d" % i).digest()
        t = Table("minewars", 2, seed=seed, **SMALL)
        t.act(0, "vote", cities=[0, 1])
        t.act(1, "vote", cities=[1, 0])
        t.wait_until(15_000)
        banned.add(t.inner.banned)
        again = Table("minewars", 2, seed=seed, **SMALL)
        again.act(1, "vote", cities=[0, 1])
        again.act(0, "vote", cities=[0, 1])
        again.wait_until(15_000)
        assert again.inner.banned == t.inner.banned
    assert banned == {0, 1}


def test_no_votes_no_ban() -> None:
    t = Table("minewars", 2, **SMALL)
    t.wait_until(15_000)
    assert t.inner.banned is None
    assert t.look(0)["game"]["votes"] == [[], []]


def test_mayhem_has_no_ban_stage() -> None:
    t = Table("minewars", 6, preset="mayhem", radius=12)
    assert t.look(0)["phase"] == "live"
    assert t.refused(0, "vote", cities=[0]) == "no_ban"


def test_starts_are_far_apart_first() -> None:
    t = Table("minewars", 2, **SMALL)
    state = t.inner
    cells = [city.cell for city in state.cities]
    farthest = max(state.topo.distance(a, b) for a, b in combinations(cells, 2))
    a, b = draw_starts(state)
    assert state.topo.distance(cells[a], cells[b]) == farthest


# -- the start -----------------------------------------------------------------------------------


def test_each_player_starts_with_one_city_and_every_tile_adjacent_to_it() -> None:
    t = Table("minewars", 4, preset="classic", radius=14)
    t.wait_until(15_000)
    state = t.inner
    for empire in range(1, 5):
        mine = [c for c in range(state.topo.size) if state.owner[c] == empire]
        city = next(c for c in mine if c in state.city_at)
        assert sorted(mine) == sorted((city, *state.topo.neighbours[city]))


@pytest.mark.parametrize(("mines", "decoys"), [(28, 9), (0, 0), (40, 20)])
def test_mines_and_decoys_are_that_share_of_the_land_outside_the_starting_areas(
    mines: int, decoys: int
) -> None:
    t = Table("minewars", 2, ban_seconds=0, mine_percent=mines, decoy_percent=decoys)
    state = t.inner
    free = [c for c in range(state.topo.size) if is_land(state, c) and not state.owner[c]]
    items = [state.item[c] for c in free]
    assert items.count(MINE) == len(free) * mines // 100
    assert items.count(DECOY) == len(free) * decoys // 100
    assert sum(map(bool, state.item)) == sum(map(bool, items)), "none elsewhere"


def test_the_defaults_are_28_and_9_percent() -> None:
    options = MODES["minewars"].parse_options({})
    assert (options.mine_percent, options.decoy_percent) == (28, 9)


# -- winning -------------------------------------------------------------------------------------


def test_without_a_city_an_empire_is_eliminated_and_the_last_one_standing_wins() -> None:
    a = Arena()
    a.own(2, a.cell(0, 3), a.cell(0, 4))
    besiege(a, 0, 1)
    got = a.wait(RULES.held_siege_ms)
    assert any(e["type"] == "eliminated" and e["empire"] == 2 for e in got[None])
    assert a.score(2)["cities"] == a.score(2)["tiles"] == 0
    assert a.owner(a.cell(0, 3)) == 0, "all its territory is neutral"
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert (outcome.reason, outcome.ranks) == ("conquest", (1, 2))


def test_the_eliminated_may_go_on_watching_but_not_acting() -> None:
    a = Arena(3)
    a.own(3, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 1)
    a.wait(RULES.held_siege_ms)
    assert a.game.outcome(a.state) is None
    assert a.refused(1, "capture", cell=a.cell(4, 1)) == "eliminated"
    got = a.do(0, "strike", cells=[a.cell(-1, 0)])
    assert any(e["type"] == "exploded" for e in got[1])
    assert a.look(1)["game"]["tiles"] is not None


def test_a_player_who_gave_up_leaves_neutral_land_and_the_others_play_on() -> None:
    a = Arena(3)
    a.own(3, a.city(2), *a.around(a.city(2)))
    a.act(1, "surrender")
    assert a.owner(a.city(1)) == 0
    assert a.inner.empires[2].out is not None
    assert a.game.outcome(a.state) is None
    a.wait(1000)
    a.act(2, "surrender")
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert outcome.ranks == (1, 3, 2)


def test_the_eliminated_keep_their_place_whether_they_watch_or_leave() -> None:
    a = Arena(3, limit_seconds=120)
    a.own(3, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 1)
    a.wait(RULES.held_siege_ms)
    assert a.inner.empires[2].out is not None
    a.give(Input(a.ORIGIN + a.t, Kind.LEAVE, 1))
    a.wait(40_000)
    assert a.look(None)["seats"][1]["retired"] is None, "nobody waits for them"
    a.act(2, "surrender")
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert outcome.ranks == (1, 3, 2)


def test_the_time_limit_is_thirty_minutes_by_default() -> None:
    assert MODES["minewars"].parse_options({}).limit_seconds == 30 * 60


@pytest.mark.parametrize("by", ["cities", "tiles", "kills"])
def test_at_the_time_limit_ranked_by_cities_then_tiles_then_kills(by: str) -> None:
    a = Arena(limit_seconds=60)
    if by == "cities":
        a.own(1, *(a.cell(q, 3) for q in range(-5, 1)))
        a.own(2, a.city(2))
    elif by == "tiles":
        a.inner.empires[1].kills = 5
        a.own(2, a.cell(3, 2))
    else:
        a.inner.empires[2].kills = 1
    a.ready()
    a.wait(60_000)
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert (outcome.reason, outcome.ranks) == ("time", (2, 1))


def test_the_scoreboard_is_for_all() -> None:
    a = Arena()
    a.mines_everywhere_but(a.cell(-2, 0))
    got = a.capture(0, a.cell(-2, 0))
    for viewer in (None, 0):
        assert {"type": "scores", "scores": [[1, 1, 8, 0, 0, 0, None]]} in got[viewer]
    assert "scores" not in [e["type"] for e in got[1]], "a capture in fog tells nobody anything"
    assert list(a.score(1)) == ["cities", "tiles", "kills", "deaths", "captures"]


# -- empires of two ------------------------------------------------------------------------------


def test_duos_are_three_empires_of_two() -> None:
    t = Table("minewars", 6, preset="duos", radius=12)
    assert [seat["team"] for seat in t.look(0)["seats"]] == [1, 1, 2, 2, 3, 3]
    assert t.look(0)["game"]["empires"] == [[0, 1], [2, 3], [4, 5]]


def test_two_commanders_of_one_empire_share_everything_but_orders_and_cooldowns() -> None:
    a = Arena(4, team_size=2)
    first, second = a.cell(-2, 0), a.cell(-3, 1)
    a.mines_everywhere_but(first, second)
    a.act(0, "capture", cell=first)
    got = a.act(1, "capture", cell=second)
    assert not any(e["type"] == "refused" for e in got[1]), "each has a cooldown of its own"
    assert [e["type"] for e in got[0]] == ["ally_ordered"]
    a.wait(250)
    assert (a.owner(first), a.owner(second)) == (1, 1)
    mine, allys = a.look(0)["game"], a.look(1)["game"]
    assert {k for k in mine if mine[k] != allys[k]} <= {"ready", "orders", "vote", "allies"}


def test_an_empire_of_two_goes_on_when_one_gives_up() -> None:
    a = Arena(4, team_size=2)
    a.act(0, "surrender")
    assert a.inner.empires[1].out is None
    a.act(1, "surrender")
    assert a.inner.empires[1].out is not None
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert outcome.ranks == (2, 2, 1, 1)


def test_allies_win_together() -> None:
    a = Arena(4, team_size=2, limit_seconds=60)
    a.own(1, a.cell(-2, 0))
    a.wait(60_000)
    outcome = a.game.outcome(a.state)
    assert outcome is not None
    assert outcome.ranks == (1, 1, 2, 2)


# -- spectators ----------------------------------------------------------------------------------


def test_spectators_see_kinds_owners_and_structures_and_nothing_else() -> None:
    a = Arena()
    a.mines_everywhere_but(a.cell(-2, 0))
    game = a.look(None)["game"]
    for cell, code in enumerate(game["tiles"]):
        assert code == a.inner.kind[cell] | 1 << 3 | a.owner(cell) << 5
    for key in ("banks", "jobs", "sieges"):
        assert game[key] == [None] * 3
    for key in ("ready", "orders", "links", "vote"):
        assert not game[key]
    got = a.capture(0, a.cell(-2, 0))
    assert [e["type"] for e in got[None]] == ["tiles", "scores"]


def test_a_siege_is_known_to_the_two_it_concerns_and_to_those_who_see_it() -> None:
    a = Arena(3)
    a.own(3, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 1)
    assert a.look(0)["game"]["sieges"][1] == [1, a.t + RULES.held_siege_ms]
    assert a.look(1)["game"]["sieges"][1] == [1, a.t + RULES.held_siege_ms]
    assert a.look(2)["game"]["sieges"] == a.look(None)["game"]["sieges"] == [None] * 3
    outside = a.cell(4, 2)
    a.put(0, outside)
    a.own(3, a.cell(4, 3))
    a.capture(2, outside)
    assert a.look(2)["game"]["sieges"][1] == a.look(1)["game"]["sieges"][1]


# -- options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        {"preset": "blitz"},
        {"radius": 7},
        {"radius": 41},
        {"cities": 1},
        {"team_size": 4},
        {"ban_seconds": -1},
        {"limit_seconds": 5},
        {"mine_percent": 61},
        {"topology": "triangle"},
        {"colour": "red"},
        [],
    ],
)
def test_bad_options_are_refused(raw: object) -> None:
    with pytest.raises(BadOptions):
        MODES["minewars"].parse_options(raw)


@pytest.mark.parametrize("preset", ["duel", "classic", "mayhem", "duos"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_preset_starts_with_any_number_of_seats(preset: str, seats: int) -> None:
    t = Table("minewars", seats, preset=preset, radius=10)
    t.wait_until(20_000)
    state = t.inner
    owners = [state.city_owner(i) for i in range(len(state.cities))]
    assert sorted(o for o in owners if o) == state.alive()
    assert state.kind.count(LAND) > 50
