"""Watching, sentence by sentence: the broadcast for spectators and for players who are out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.contract.playing import new_setup
from games.contract.replay import Replay, encode
from games.contract.subject import subject_of
from games.engine.game import Event, Viewer
from games.engine.registry import MODES, mode
from games.modes.minewars import contract
from games.modes.minewars.rules.tiles import MINE

from .arena import RULES, Arena
from .test_capture import besiege

DELAY = 30_000


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def late(seats: int = 2) -> Arena:
    a = Arena(seats, watch_delay_seconds=DELAY // 1000)
    a.mines_everywhere_but(a.cell(-2, 0))
    return a


def test_the_delay_is_thirty_seconds_by_default_and_up_to_five_minutes() -> None:
    assert MODES["minewars"].parse_options({}).watch_delay_seconds == 30
    option = mode("minewars").option("watch_delay_seconds")
    assert option is not None
    assert [option.low, option.high] == [0, 300]


def test_no_preset_switches_the_delay_off() -> None:
    """Rated matches are played with a preset's options: 0 is for unrated ones."""
    for preset in mode("minewars").presets:
        options = MODES["minewars"].parse_options(dict(preset.options))
        assert options.watch_delay_seconds == 30


def test_a_spectator_sees_a_capture_when_the_delay_is_over() -> None:
    a = late()
    spot = a.cell(-2, 0)
    got = a.capture(0, spot)
    assert got[None] == []
    assert a.wait(DELAY - 1)[None] == []
    assert a.seen(None, spot)["owner"] == 0
    assert types(a.wait(1)[None]) == ["tiles", "scores"]
    assert a.seen(None, spot)["owner"] == 1
    assert a.score(1)["tiles"] == 8


def test_explosions_and_kills_are_late_too() -> None:
    a = late()
    got = a.capture(0, a.cell(-3, -1) if a.owner(a.cell(-3, -1)) == 0 else a.cell(-2, -1))
    assert "killed" in types(got[1])
    assert got[None] == []
    assert types(a.wait(DELAY)[None]) == ["exploded", "killed", "tiles", "scores"]


def test_a_player_who_is_out_sees_the_broadcast_from_then_on() -> None:
    a = Arena(3, watch_delay_seconds=DELAY // 1000)
    a.own(3, a.city(2), *a.around(a.city(2)))
    besiege(a, 0, 1)
    before = a.look(None)["game"]["tiles"]
    got = a.wait(RULES.held_siege_ms)
    assert types(got[1])[-2:] == ["eliminated", "watching"]
    assert "eliminated" not in types(got[None])
    watched, spectated = a.look(1)["game"], a.look(None)["game"]
    assert watched["tiles"] == spectated["tiles"] == before
    assert watched["watching"]
    assert watched["empire"] == 2
    assert watched["banks"] == [None] * 3
    late_events = a.wait(DELAY)
    assert "eliminated" in types(late_events[1])
    assert late_events[1] == late_events[None]


def test_when_the_match_is_over_nothing_is_late_any_more() -> None:
    a = late()
    a.capture(0, a.cell(-2, 0))
    got = a.act(1, "surrender")
    assert types(got[None])[-2:] == ["watching", "over"]
    assert a.seen(None, a.cell(-2, 0))["owner"] == 1
    scores = [a.look(viewer)["game"]["scores"] for viewer in a.viewers]
    assert scores[0] == scores[1] == scores[2], "exact for all"


def test_the_broadcast_has_no_items_digits_flags_orders_or_banks() -> None:
    a = Arena()
    a.put(MINE, a.cell(-3, 0))
    a.act(0, "flag", cell=a.cell(-3, 0), on=True)
    got = a.act(0, "build", structure="tower", cells=[a.cell(-4, 1)])
    assert types(got[None]) == ["tiles"], "the foundation"
    assert a.do(0, "deploy", item="decoy", cell=a.cell(-3, -1))[None] == []
    view = a.look(None)["game"]
    assert not any(code >> 8 & 3 or code >> 17 & 0x7FF for code in view["tiles"])
    assert not any(view[key] for key in ("orders", "ready", "allies"))


# -- what happened less than the delay ago changes no byte ---------------------------------------


def play_on(table: Replay, random: Random, at: int, until: int) -> list[dict[Viewer, list[bytes]]]:
    got = []
    while True:
        at += random.randint(1, 700)
        if at >= until:
            return got
        seat = random.randrange(len(table.state.seats))
        action = contract.play(random, table.state.game, seat)
        if action is not None:
            got.append(table.apply({"t": at, "k": "action", "s": seat, "d": action}))


def watcher_bytes(setup: dict[str, Any], number: int, other: int) -> tuple[list[bytes], Any, bool]:
    """The bytes that a spectator gets of a match that is played on in its own way; the view; and
    whether it is over."""
    random = Random(f"watching {number}")
    table = Replay.open(setup)
    begin = setup["t"]
    play_on(table, random, begin, begin + 20_000)
    before = len(table.streams[None])
    play_on(table, Random(f"other {other}"), begin + 20_000, begin + 24_990)
    table.apply({"t": begin + 24_995, "k": "tick"})
    over = table.game.outcome(table.state) is not None
    return table.streams[None][before:], table.game.view(table.state, None), over


@pytest.mark.parametrize("number", range(12))
def test_events_younger_than_the_delay_change_no_byte(number: int) -> None:
    random = Random(f"watched {number}")
    setup = new_setup(subject_of("minewars"), random)
    setup["options"].update(watch_delay_seconds=5, ban_seconds=0, limit_seconds=600)
    one, other = (watcher_bytes(setup, number, 10 * number + way) for way in (1, 2))
    if not one[2] and not other[2]:
        assert one[0] == other[0]
        assert encode(one[1]) == encode(other[1])
