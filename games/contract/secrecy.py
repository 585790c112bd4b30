"""Non-interference: what a viewer may not know changes nothing that reaches it."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from games.engine.game import Viewer

from .checks import who
from .failure import Broken
from .matches import numbered
from .playing import new_setup, play
from .replay import Replay, encode
from .subject import Entry, Subject

SECRECY = "secrets stay secret"
STEPS = 40


def check_secrecy(
    subject: Subject, wanted: int, seed: int = 0, progress: Callable[[int], None] = lambda new: None
) -> int:
    """Compare so many pairs of states that differ in what a viewer may not know: it sees the same
    view and gets the same bytes for everything that tells it nothing by the rules. Returns how
    many pairs there were."""
    pairs = 0

    def compare(table: Replay, random: Random) -> None:
        nonlocal pairs
        if random.random() < 0.25 and table.game.outcome(table.state) is None:
            viewer = random.choice(list(table.streams))
            pairs += same_for(viewer, table, subject, random)

    for number in range(seed, seed + 200 * wanted):
        if pairs >= wanted:
            break
        before = pairs
        with numbered(number):
            play(subject, f"pairs {number}", STEPS, compare)
        progress(min(pairs, wanted) - min(before, wanted))
    if pairs < wanted:
        text = f"perturb() changed something in only {pairs} states of {200 * wanted} matches."
        raise Broken(SECRECY, text)
    return pairs


def same_for(viewer: Viewer, table: Replay, subject: Subject, random: Random) -> bool:
    """False when there was nothing to change in this state."""
    assert subject.perturb is not None
    game = table.game
    snapshot = game.dump(table.state)
    true, other = (fork(table, snapshot) for _ in range(2))
    if not subject.perturb(random, other.state, viewer):
        return False
    if game.dump(other.state) == snapshot and truth(true) == truth(other):
        raise Broken(SECRECY, "perturb() returned True and changed nothing.")
    _same_view(viewer, true, other)
    seat = random.randrange(len(true.state.seats))
    quiet = subject.quiet(random, true.state, viewer)
    _same_bytes(viewer, true, other, [*quiet, *away_and_back(seat)])
    return True


def away_and_back(seat: int) -> list[Entry]:
    return [{"k": "drop", "s": seat}, {"k": "return", "s": seat}]


def _same_view(viewer: Viewer, true: Replay, other: Replay) -> None:
    views = [without_seal(each.game.view(each.state, viewer)) for each in (true, other)]
    if encode(views[0]) != encode(views[1]):
        text = f"the view of {who(viewer)} depends on what it may not know."
        raise Broken(SECRECY, text, expected=views[0], got=views[1])


def _same_bytes(viewer: Viewer, true: Replay, other: Replay, entries: list[Entry]) -> None:
    game = true.game
    t = true.state.origin + true.state.now
    for entry in entries:
        t += entry.pop("wait", 1)
        expected, got = (each.apply({"t": t, **entry}).get(viewer) for each in (true, other))
        ended = [game.outcome(each.state) is not None for each in (true, other)]
        if ended[0] != ended[1]:
            text = "an entry that tells nothing ends the match, depending on what is hidden."
            raise Broken(SECRECY, text, entry=entry)
        if ended[0]:  # everything is disclosed
            return
        if got != expected:
            text = f"what {who(viewer)} receives depends on what it may not know."
            told = [[json.loads(event) for event in events or ()] for events in (expected, got)]
            raise Broken(SECRECY, text, entry=entry, expected=told[0], got=told[1])
    _same_view(viewer, true, other)


def fork(table: Replay, snapshot: bytes) -> Replay:
    return Replay(table.game, table.game.load(snapshot), {v: [] for v in table.streams})


def truth(table: Replay) -> Any:
    rules: Any = table.game
    return rules.rules.truth(table.state.game)


def without_seal(view: dict[str, Any]) -> dict[str, Any]:
    """The seal differs with the seed, as it must, and tells nothing of it."""
    return {key: value for key, value in view.items() if key != "commitment"}


def looks_the_same(viewer: Viewer, true: Replay, other: Replay) -> bool:
    views = [without_seal(each.game.view(each.state, viewer)) for each in (true, other)]
    return encode(views[0]) == encode(views[1])


def check_by_dealing_again(subject: Subject, wanted: int, seed: int = 0) -> int:
    """Without `perturb`: deal matches from two seeds each. Where a viewer sees the same in both
    and the truth differs, it must receive the same bytes. Returns how many pairs there were."""
    pairs = 0
    for number in range(seed, seed + wanted):
        random = Random(f"{subject.name} deals {number}")
        with numbered(number):
            setup = {**new_setup(subject, random), "deal": ""}
            setups = setup, {**setup, "seed": random.randbytes(32).hex()}
            for viewer in (None, *range(setup["seats"])):
                true, other = (Replay.open(raw, subject.game) for raw in setups)
                if truth(true) == truth(other) or not looks_the_same(viewer, true, other):
                    continue
                pairs += 1
                _same_bytes(viewer, true, other, away_and_back(random.randrange(setup["seats"])))
    if not pairs:
        text = "not checked: this mode hides things. Add perturb() to its contract.py."
        raise Broken(SECRECY, text)
    return pairs
