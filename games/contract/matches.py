"""Random matches, replayed from their logs and from snapshots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from random import Random

from .checks import Tally, who
from .failure import Broken
from .playing import Played, play
from .replay import Replay
from .subject import Entry, Subject

REPLAYS = "replays equal the match"
SNAPSHOTS = "snapshots carry on"
PLAY = "random play"


def steps_of(number: int) -> int:
    """Most matches are short; every twentieth is long enough to come to its end."""
    return 150 if number % 20 == 0 else 6 + number % 18


def check_matches(subject: Subject, numbers: Iterable[int], tally: Tally | None = None) -> Tally:
    """Play these matches. Each one's log alone, without the ticks, must give every viewer the same
    bytes and end in the same state; and so must going on from a snapshot taken in the middle."""
    tally = tally or Tally()
    for number in numbers:
        with numbered(number):
            played = play(subject, number, steps_of(number), tally=tally)
            check_replay(played, Random(number).randrange(len(played.entries)))
    return tally


@contextmanager
def numbered(number: int) -> Iterator[None]:
    """Whatever goes wrong inside is a Broken that tells the number of the match."""
    try:
        yield
    except Broken as broken:
        broken.seed = number
        raise
    except Exception as error:
        text = f"the mode raised {type(error).__name__}: {error}"
        raise Broken(PLAY, text, seed=number) from error


def check_replay(played: Played, middle: int) -> None:
    """Replay the log twice: from its start, and from a snapshot before entry `middle`."""
    entries, first = played.entries, played.table
    again = Replay.open(played.setup, first.game)
    copy: Replay | None = None
    for i, entry in enumerate(entries):
        if entry["k"] == "tick" and not says_that_time_passed(entries, i):
            continue
        if i >= middle and copy is None:
            state = again.game.load(again.game.dump(again.state))
            copy = Replay(again.game, state, {v: list(s) for v, s in again.streams.items()})
        again.apply(entry)
        if copy is not None:
            copy.apply(entry)
    assert copy is not None
    _compare(REPLAYS, "replayed from its log", first, again)
    _compare(SNAPSHOTS, "continued from dump() and load()", first, copy)


def says_that_time_passed(entries: list[Entry], tick: int) -> bool:
    """A tick that counts: the last entry, or one that bounds how far back an outage reaches."""
    return tick == len(entries) - 1 or entries[tick + 1]["k"] == "outage"


def _compare(rule: str, how: str, first: Replay, other: Replay) -> None:
    for viewer, stream in first.streams.items():
        if other.streams[viewer] != stream:
            text = f"a match {how} gives {who(viewer)} other events."
            pair = [[json.loads(e) for e in s] for s in (stream, other.streams[viewer])]
            raise Broken(rule, text, expected=pair[0], got=pair[1])
    views = other.views()
    for viewer, view in first.views().items():
        if views[viewer] != view:
            text = f"a match {how} ends with another view of {who(viewer)}."
            raise Broken(rule, text, expected=json.loads(view), got=json.loads(views[viewer]))
    dumps = [each.game.dump(each.state) for each in (first, other)]
    if dumps[0] != dumps[1]:
        text = f"a match {how} ends in another state."
        raise Broken(rule, text, expected=json.loads(dumps[0]), got=json.loads(dumps[1]))
