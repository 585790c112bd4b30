"""The picture for spectators and for the eliminated: the whole map, `watch_delay_seconds` late.

What happens is put on its way with the time at which it is due on air, and until then nothing that
leaves the engine for these viewers depends on it. There are no items, digits, flags, orders or
banks in it.
"""

from __future__ import annotations

from typing import Any

from games.engine.game import ALL, Addressed, Event

from .state import Broadcast, State
from .tiles import HP, LEVEL, LIMITED, OWNER, SKULL_BIT, STRUCTURE


def public_code(state: State, cell: int) -> int:
    """A tile as it is broadcast: kind, owner, finished structure and skull."""
    found = state.kind[cell] | LIMITED << LEVEL | state.owner[cell] << OWNER
    structure = state.structures.get(cell)
    if structure is not None:
        found |= structure.kind << STRUCTURE | structure.hp << HP
    return found | (SKULL_BIT if state.skull[cell] else 0)


def exact_score(state: State, empire: int) -> list[Any]:
    """A row of the scoreboard: cities, tiles, kills, deaths, captures, and when it was out."""
    one = state.empires[empire]
    return [one.cities, one.tiles, one.kills, one.deaths, one.captures, one.out]


def derive_broadcast(state: State) -> None:
    """Take the state of the match as the last one on its way; at the start of a match, as the one
    on air."""
    latest = [public_code(state, cell) for cell in range(state.topo.size)]
    scores = [exact_score(state, e) for e in range(1, len(state.empires))]
    if state.air is None:
        state.air = Broadcast(list(latest), [list(row) for row in scores])
    state.air.latest, state.air.latest_scores = latest, scores
    state.known[0] = state.air.codes


def tell_all(state: State, event: Event) -> None:
    """To every player now, and to those who watch with the broadcast."""
    changes = state.changes
    if state.rules.broadcast:
        changes.events.append(Addressed(state.players, event))
        changes.aired.append(event)
    else:
        changes.events.append(Addressed(ALL, event))


def send(state: State, touched: set[int], scored: set[int], out: list[Addressed]) -> None:
    """Put what has happened on its way: events, then the tiles and scores that are different."""
    air = state.air
    assert air is not None
    events, state.changes.aired = state.changes.aired, []
    told: list[int] = []
    for cell in sorted(touched):
        now = public_code(state, cell)
        if now != air.latest[cell]:
            air.latest[cell] = now
            told += (cell, now)
    if told:
        events.append({"type": "tiles", "tiles": told})
    rows = []
    for empire in sorted(scored):
        row = exact_score(state, empire)
        if row != air.latest_scores[empire - 1]:
            air.latest_scores[empire - 1] = row
            rows.append([empire, *row])
    if rows:
        events.append({"type": "scores", "scores": rows})
    if not events:
        return
    delay = state.rules.watch_delay_seconds * 1000
    if not delay:
        out += _show(state, events)
        return
    if not air.waiting:
        state.add_timer(state.now + delay, "air")
    air.waiting.append((state.now + delay, events))


def go_on_air(state: State) -> None:
    """Show what is due by now."""
    air = state.air
    assert air is not None
    while air.waiting and air.waiting[0][0] <= state.now:
        state.changes.events += _show(state, air.waiting.popleft()[1])
    if air.waiting:
        state.add_timer(air.waiting[0][0], "air")


def _show(state: State, events: list[Event]) -> list[Addressed]:
    air = state.air
    assert air is not None
    for event in events:
        if event["type"] == "tiles":
            told = event["tiles"]
            for i in range(0, len(told), 2):
                air.codes[told[i]] = told[i + 1]
        elif event["type"] == "scores":
            for empire, *row in event["scores"]:
                air.scores[empire - 1] = row
    return [Addressed(state.audience[0], event) for event in events]


def whole_picture(state: State) -> Event:
    """The picture on air, for spectators who begin to watch now."""
    air = state.air
    assert air is not None
    return {
        "type": "watching",
        "tiles": list(air.codes),
        "scores": [list(row) for row in air.scores],
    }


def watch(state: State, empire: int) -> None:
    """The players of this empire are out: from now on they see the broadcast."""
    seats = state.audience[empire]
    state.audience[0] |= seats
    state.audience[empire] = frozenset()
    state.players -= seats
    state.changes.events.append(Addressed(seats, whole_picture(state)))


def catch_up(state: State) -> list[Addressed]:
    """The match is over: nothing is late any more."""
    air = state.air
    assert air is not None
    air.waiting.clear()
    if air.codes == air.latest and air.scores == air.latest_scores:
        return []
    air.codes[:] = air.latest
    air.scores = [list(row) for row in air.latest_scores]
    return [Addressed(state.audience[0], whole_picture(state))]
