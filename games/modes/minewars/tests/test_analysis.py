"""Captures judged by what their seat knew: on positions made by hand, and over a whole match."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.analysis import analyse
from games.bots.decision import bot_for
from games.bots.judging import AVOIDABLE, FORCED, KNOWN_MINE, LABELS, PROVEN, Held, Played
from games.bots.roster import ROSTER
from games.live import entry as kinds
from games.modes.minewars.analysis import MineWarsJudge, Sight
from games.modes.minewars.rules.tiles import DECOY, MINE
from tests.bots.test_analysis import Table

from .arena import Arena

OPTIONS = {"radius": 9, "cities": 3, "limit_seconds": 3600, "ban_seconds": 0}


def sight(arena: Arena) -> Sight:
    return Sight(arena.look(0), 0)


def test_labels_on_a_position():
    """The tile west of the city touches three that are free: (-6, 0), (-6, 1) and (-5, -1). Only
    the first touches no other tile of this empire."""
    arena = Arena()
    mine = arena.cell(-6, 0)
    arena.put(MINE, mine)
    assert sight(arena).judge(arena.cell(-2, 0)).label == PROVEN
    known = sight(arena).judge(mine)
    assert (known.label, known.chance) == (KNOWN_MINE, 1.0), "the other two touch a 0"


def test_a_guess_is_avoidable_while_anything_is_safe():
    """Far from anything else: one own tile with a mine beside it."""
    arena = Arena()
    lonely = arena.cell(0, 3)
    arena.own(1, lonely)
    arena.put(MINE, arena.inner.topo.neighbours[lonely][0])
    guess = sight(arena).judge(arena.inner.topo.neighbours[lonely][1])
    assert guess.label == AVOIDABLE, "around the city all is safe"
    assert abs(guess.chance - 1 / 6) < 1e-9
    arena.mines_everywhere_but(*arena.inner.topo.neighbours[lonely][1:])
    assert sight(arena).judge(arena.inner.topo.neighbours[lonely][1]).label == FORCED


def test_a_star_that_can_mean_one_tile_only_is_no_mine():
    arena = Arena()
    decoy = arena.cell(-6, 0)
    arena.put(DECOY, decoy)
    arena.own(1, arena.cell(-6, 1), arena.cell(-5, -1))
    assert sight(arena).judge(decoy).label == PROVEN


def test_a_capture_is_settled_when_it_takes_effect():
    arena = Arena()
    judge = MineWarsJudge(arena.look(0))
    ordered = {"type": "ordered", "action": "capture", "cells": [7], "ready": 9, "order": 3}
    action = {"type": "capture", "cell": 7}
    assert judge.played(action, [{**ordered, "due": 250}]) == Held(3)
    assert judge.settled([{"type": "done", "order": 2, "code": None}]) == {}
    done = {"type": "done", "order": 3, "code": None}
    killed = {"type": "killed", "cell": 7, "victim": 1}
    assert judge.settled([done, killed]) == {3: Played(7, True)}
    assert judge.settled([done]) == {}, "once"

    judge.played(action, [{**ordered, "due": 250}])
    assert judge.settled([{**done, "code": "protected"}]) == {}, "somebody was faster"


def test_a_match_of_bots():
    table = Table("minewars", 2, OPTIONS, 3)
    characters = [replace(ROSTER[-1], errors=0.4), ROSTER[-1]]
    bots = [bot_for("minewars", who, Random(i)) for i, who in enumerate(characters)]
    for _ in range(400):
        if table.course.outcome() is not None:
            break
        now = table.course.state.now
        plans = []
        for seat, bot in enumerate(bots):
            decision = bot.decide(table.view(seat), now)
            if decision is not None:
                plans.append((decision.after, seat, decision.action))
        due = table.course.game.due(table.course.state)
        if plans and (due is None or now + min(p[0] for p in plans) * 1000 < due):
            after, seat, action = min(plans, key=lambda plan: plan[:2])
            table.act(seat, int(after * 1000), **action)
        else:
            assert due is not None
            table.add(kinds.TICK, None, b"", max(0, due - now))
    if table.course.outcome() is None:
        table.act(0, type="surrender")
    again = table.replay()
    found = analyse(again, budget=60)
    proven = {(m["t"], m["cell"]) for m in found.marks if m["label"] == PROVEN}
    assert sum(player["moves"] for player in found.players) > 20
    for player in found.players:
        assert player["analysed"] <= player["moves"]
        assert sum(player[name] for name in LABELS) == player["analysed"]
    for mark in found.marks:
        told = {said.t for said in again.events(mark["seat"]) if said.event["type"] == "done"}
        assert mark["t"] in told, "the replay shows it with the event that tells the outcome"
        assert (mark["label"] == PROVEN) == (mark["chance"] == 0), mark
    for seat in range(2):
        for said in again.events(seat):
            if said.event["type"] == "killed":
                assert (said.t, said.event["cell"]) not in proven, "proven, and yet a mine"
    careless = found.players[0]
    assert careless[FORCED] + careless[AVOIDABLE] + careless[KNOWN_MINE] > 0
