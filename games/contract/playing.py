"""Random matches of any mode, checked at every step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from .checks import Checks, Tally
from .replay import Replay, encode
from .subject import Entry, Subject


@dataclass
class Played:
    setup: Entry
    entries: list[Entry] = field(default_factory=list)
    table: Replay = field(init=False)


def new_setup(subject: Subject, random: Random) -> Entry:
    spec = subject.game.spec
    options = subject.game.parse_options(subject.options(random))
    t, seed = random.randrange(10**12, 2 * 10**12), random.randbytes(32)
    return {
        "t": t,
        "mode": spec.name,
        "version": spec.version,
        "seed": seed.hex(),
        "deal": subject.deal(random, options).hex(),
        "seats": random.randint(spec.min_seats, spec.max_seats),
        "options": json.loads(encode(asdict(options))),
        **({"countdown": 3000} if seed[0] % 2 else {}),
    }


def random_entries(
    table: Replay, setup: Entry, subject: Subject, random: Random, steps: int
) -> Iterator[Entry]:
    """Entries as a live match might get them, made up while the match is being played."""
    game, seats = table.game, range(setup["seats"])
    t = setup["t"]
    for step in range(steps):
        due = game.due(table.state)
        dice = random.random()
        if due is not None and dice < 0.06:
            t = max(t, due + random.choice([-1, 0, 1]))
        elif dice < 0.08 or (step == steps - 1 and dice < 0.6):
            t += random.choice([10_000, 40_000, 700_000, 4_000_000])
        else:
            t += random.randint(0, 1500)
        yield {"t": t, **_random_entry(table, subject, random, random.choice(seats))}


def _random_entry(table: Replay, subject: Subject, random: Random, seat: int) -> Entry:
    dice = random.random()
    state = table.state
    if dice < 0.03:
        return {"k": "tick"}
    if dice < 0.10:
        away = not state.seats[seat].connected
        kind = "return" if away and random.random() < 0.6 else random.choice(["drop", "leave"])
        return {"k": kind, "s": seat}
    if dice < 0.11:
        return {"k": "outage", "d": {"ms": random.choice([500, 20_000, 90_000])}}
    if dice < 0.112:
        return {"k": "abort", "d": {"reason": "test"}}
    action: Any
    if dice < 0.117:
        action = {"type": "surrender"}
    elif dice < 0.14 or (dice < 0.5 and any(s.claimable for s in state.seats)):
        action = {"type": "claim_win"}
    elif dice < 0.15 or (state.phase == "setup" and dice < 0.6):
        action = {"type": "ready"}
    else:
        action = subject.act(random, state, seat)
    if action is None or (action["type"] == "ready" and not table.game.spec.ready_check):
        action = subject.act(random, state, seat)
    return {"k": "tick"} if action is None else {"k": "action", "s": seat, "d": action}


def play(
    subject: Subject,
    seed: object,
    steps: int,
    at_step: Callable[[Replay, Random], None] | None = None,
    tally: Tally | None = None,
) -> Played:
    """Play a random match. Checks at every step that what clients fold is what they would be
    shown, that a refused action changes nothing, and that the spec names every event and code."""
    random = Random(f"{subject.name} {seed}")
    tally = tally or Tally()
    played = Played(new_setup(subject, random))
    played.table = table = Replay.open(played.setup, subject.game)
    checks = Checks(table, random, tally)
    after_end = 0
    for entry in random_entries(table, played.setup, subject, random, steps):
        played.entries.append(entry)
        checks.apply(entry)
        if at_step is not None:
            at_step(table, random)
        if table.game.outcome(table.state) is not None:
            after_end += 1
            if after_end == 3:
                break
    checks.look_closely()
    tally.matches += 1
    tally.ended += after_end > 0
    tally.entries += len(played.entries)
    return played
