"""Non-interference: what a viewer may not know changes nothing that reaches it."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from games.engine.game import Game, View, Viewer

from .checks import has_board, who
from .failure import Broken
from .matches import numbered
from .playing import play
from .replay import Replay, encode
from .subject import Entry, Subject

SECRECY = "secrets stay secret"
STEPS = 40


Progress = Callable[[int], None]
"""Called with how many more were compared."""


def check_secrecy(
    subject: Subject, wanted: int, seed: int = 0, progress: Progress = lambda new: None
) -> int:
    """Compare so many pairs of states that differ in what a viewer may not know: it sees the same
    view and gets the same bytes for everything that tells it nothing by the rules. Returns how
    many pairs there were."""
    if subject.perturb is None:
        raise Broken(SECRECY, "not checked: add perturb() to contract.py.")

    def compare(table: Replay, random: Random) -> bool:
        viewer = random.choice(list(table.streams))
        return same_for(viewer, table, subject, random)

    pairs = _compared(subject, wanted, seed, progress, compare)
    if pairs < wanted:
        text = f"perturb() changed something in only {pairs} states of {200 * wanted} matches."
        raise Broken(SECRECY, text)
    return pairs


def check_openness(
    subject: Subject, wanted: int, seed: int = 0, progress: Progress = lambda new: None
) -> int:
    """A mode without hidden information shows everybody the same, and its truth adds nothing to
    that. Returns how many positions were compared."""

    def compare(table: Replay, random: Random) -> bool:
        same_for_everybody(table)
        return True

    return _compared(subject, wanted, seed, progress, compare)


def _compared(
    subject: Subject,
    wanted: int,
    seed: int,
    progress: Progress,
    compare: Callable[[Replay, Random], bool],
) -> int:
    """Play matches, and compare at random moments of them, until enough comparisons were made.
    Returns how many were."""
    done = 0

    def at_step(table: Replay, random: Random) -> None:
        nonlocal done
        if random.random() < 0.25 and table.game.outcome(table.state) is None:
            done += compare(table, random)

    for number in range(seed, seed + 200 * wanted):
        if done >= wanted:
            break
        before = done
        with numbered(number):
            play(subject, f"pairs {number}", STEPS, at_step)
        progress(min(done, wanted) - min(before, wanted))
    return done


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


def same_for_everybody(table: Replay) -> None:
    """Raises Broken when a viewer sees what a spectator doesn't, or the truth adds to it."""
    game = table.game
    shown = {viewer: public(game, table.state, viewer) for viewer in table.streams}
    for viewer, seen in shown.items():
        if seen != shown[None]:
            text = (
                f"spec.hidden is False, but {who(viewer)} doesn't see what a spectator sees. "
                "Set hidden=True and add perturb() to contract.py."
            )
            raise Broken(SECRECY, text, expected=shown[None], got=seen)
    added = truth(table)
    known = {key: shown[None][key] for key in added if key in shown[None]}
    if added != known:
        text = (
            "spec.hidden is False, but the truth after the end shows what nobody sees before. "
            "Set hidden=True and add perturb() to contract.py."
        )
        raise Broken(SECRECY, text, expected=known, got=added)


def public(game: Game[Any], state: Any, viewer: Viewer) -> View:
    """The mode's part of a view, without what a view of the common format has for each viewer."""
    own = ("note", "actions") if has_board(game) else ()
    view = game.view(state, viewer)["game"]
    return {key: value for key, value in view.items() if key not in own}
