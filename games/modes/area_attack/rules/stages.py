"""The stages of a match, by the clock or by claimed area, and everything else that is timed."""

from __future__ import annotations

from games.engine.game import Addressed, Event

from .state import ATTACK, DEFAULT, LOCK, State
from .striking import thaw


def begin(state: State, t: int) -> list[Addressed]:
    state.began = t
    state.ends = t + (state.options.lock_at_seconds + state.options.lock_seconds) * 1000
    return [_enter(state, DEFAULT)]


def by_area(state: State, t: int) -> list[Addressed]:
    """Enter the stage that the claimed fraction calls for. A stage never goes back."""
    claimed, options = sum(state.areas), state.options
    if state.stage < LOCK and claimed >= options.lock_at_claimed * state.safe:
        return [_lock(state, t)]
    if state.stage < ATTACK and claimed >= options.attack_at_claimed * state.safe:
        return [_enter(state, ATTACK)]
    return []


def advance(state: State, t: int) -> list[Addressed]:
    """Fire every timer due by t, each at its own time; at one time, freezes end first."""
    out: list[Addressed] = []
    while state.due is not None and state.due <= t:
        now = state.due
        thawing = [
            seat
            for seat, freeze in enumerate(state.freezes)
            if freeze is not None and freeze.until == now
        ]
        if thawing:
            out += thaw(state, thawing[0])
        elif state.stage == LOCK:
            state.ended = True
        elif state.stage == ATTACK:
            out.append(_lock(state, now))
        else:
            out.append(_enter(state, ATTACK))
        schedule(state)
    return out


def schedule(state: State) -> None:
    """Work out when the next timer fires; after every change of stage or freeze."""
    if state.ended or state.began is None or state.ends is None:
        state.due = None
        return
    options, due = state.options, state.ends
    if state.stage != LOCK:
        attack = state.stage == DEFAULT
        seconds = options.attack_at_seconds if attack else options.lock_at_seconds
        due = state.began + seconds * 1000
    for freeze in state.freezes:
        if freeze is not None and freeze.until < due:
            due = freeze.until
    state.due = due


def _lock(state: State, t: int) -> Addressed:
    assert state.ends is not None
    state.ends = min(state.ends, t + state.options.lock_seconds * 1000)
    return _enter(state, LOCK)


def _enter(state: State, stage: int) -> Addressed:
    state.stage = stage
    event: Event = {
        "type": "stage",
        "stage": stage,
        "began": state.began,
        "ends": state.ends,
    }
    return Addressed(state.hearing, event)
