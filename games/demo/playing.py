"""A whole match between bots, as a log: the entries that the live runtime would have stored.
Their pauses become match time, so a match of ten minutes is played in a moment."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from games.bots.decision import Bot, Decision, bot_for
from games.bots.roster import Character
from games.live import entry as kinds
from games.live.entry import Entry
from games.live.match_state import MatchState
from games.live.setup import MatchSetup

MOST_ENTRIES = 20_000


def _bot(mode: str, character: Character, random: Random) -> Bot:
    bot = bot_for(mode, character, random)
    assert bot is not None, f"no bot plays {mode}"
    return bot


def play(
    setup: MatchSetup, characters: list[Character], random: Random, begin: int
) -> tuple[MatchState, list[Entry]]:
    """The match from its set-up at `begin` (milliseconds of the clock) to its end."""
    entries = [Entry(0, begin, kinds.SETUP, None, "", setup.encode())]
    state = MatchState(entries[0])
    bots = [_bot(setup.mode, character, random) for character in characters]
    at = begin

    def add(kind: str, seat: int | None, cid: str, data: Any) -> None:
        body = b"" if data is None else msgspec.json.encode(data)
        entry = Entry(len(entries), at, kind, seat, cid, body)
        entries.append(entry)
        state.apply(entry)

    for seat in range(len(bots)):
        add(kinds.RETURN, seat, f"!demo-{seat}", {"by": f"demo-{seat}"})
    # A seat keeps its plan until its time comes or something it sees has changed.
    plans: dict[int, tuple[int, Decision]] = {}
    seen = [-1] * len(bots)
    while state.outcome() is None:
        if len(entries) > MOST_ENTRIES:
            raise RuntimeError(f"this match of {setup.mode} doesn't end")
        for seat, bot in enumerate(bots):
            if seat in plans and seen[seat] == state.count(seat):
                continue
            seen[seat] = state.count(seat)
            decision = bot.decide(state.view(seat), at - begin)
            due = plans.pop(seat)[0] if seat in plans else None
            if decision is not None:
                planned = at + int(decision.after * 1000)
                # As for people: what others do does not begin the pause anew.
                plans[seat] = (planned if due is None else min(due, planned)), decision
        timer = state.due()
        first = min(plans, key=lambda seat: plans[seat][0], default=None)
        if first is not None and (timer is None or plans[first][0] < timer):
            planned, decision = plans.pop(first)
            at = max(at, planned)
            add(kinds.ACTION, first, f"d{len(entries)}", decision.action)
        else:
            assert timer is not None, "nobody moves and no timer runs"
            at = max(at, timer)
            add(kinds.TICK, None, f"!{at}", None)
    return state, entries
