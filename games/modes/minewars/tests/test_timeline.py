"""The replay's truth is the state itself, at every moment of a match."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.live.match_state import MatchState
from games.modes.minewars.rules.views import truth
from games.modes.minewars.timeline import MOST_ROWS
from games.replay_data import ALL, data

from .finished import played

pytestmark = pytest.mark.django_db


def told_of(table: Any) -> dict[str, Any]:
    timeline: dict[str, Any] = json.loads(json.dumps(data(table.entries, ALL)["truth"]["timeline"]))
    return timeline


def test_the_changes_lead_to_the_truth_at_every_moment():
    table = played("Ada", "Grace", most_ms=40_000)
    told = told_of(table)
    tiles, changes = told["tiles"], told["changes"]
    assert len(changes) > 50
    course = MatchState(table.entries[0])
    done = 0
    for entry, following in zip(table.entries[1:], [*table.entries[2:], None], strict=True):
        course.apply(entry)
        now = course.state.now
        if following is not None and following.t == entry.t:
            continue
        while done < len(changes) and changes[done][0] <= now:
            flat = changes[done][1]
            for i in range(0, len(flat), 2):
                tiles[flat[i]] = flat[i + 1]
            done += 1
        assert tiles == truth(course.state.game)["tiles"]
    assert done == len(changes)


def test_the_figures_are_the_scores_and_the_banks():
    table = played("Ada", "Grace", most_ms=40_000)
    rows = told_of(table)["figures"]
    assert 50 < len(rows) <= MOST_ROWS + 2
    assert [t for t, _ in rows] == sorted({t for t, _ in rows})
    at, last = rows[-1]
    game = table.course.state.game
    assert at == table.course.state.now
    assert [row[:2] for row in last] == [[e.cities, e.tiles] for e in game.empires[1:]]
    banks = [0, 0, 0]
    for number, city in enumerate(game.cities):
        banks[game.city_owner(number)] += city.money(at) // 1000
    assert [row[2] for row in last] == banks[1:]


def test_the_match_is_played_again_only_once(monkeypatch):
    table = played("Ada", "Grace", most_ms=10_000)
    applied = 0
    apply = MatchState.apply

    def counted(state: MatchState, entry: Any) -> Any:
        nonlocal applied
        applied += 1
        return apply(state, entry)

    monkeypatch.setattr(MatchState, "apply", counted)
    assert told_of(table)["changes"]
    assert applied == len(table.entries) - 1
