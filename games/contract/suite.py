"""The whole suite over one mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from . import checks, matches
from .checks import Tally
from .declaration import DECLARED, check_declaration
from .failure import Broken
from .hostile import HOSTILE, fuzz
from .matches import check_matches
from .options import SURVIVE, check_options
from .secrecy import SECRECY, check_openness, check_secrecy
from .subject import Subject
from .subject import subject as subject_in

INPUTS = 4000
ENOUGH = 20
"""Matches after which one of the mode's actions must have been legal."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is to do."""


@dataclass(frozen=True)
class Result:
    """One property: how it was checked, or how it is broken."""

    rule: str
    text: str
    broken: Broken | None = None
    repeat: str = ""
    """Options of check_mode that run only the stage that failed, on the match that failed."""


def check(package: str, *, matches: int = 100, pairs: int = 50) -> None:
    """For a mode's own tests: raises Broken when the mode in this package breaks its contract."""
    mode = import_module(f"{package}.mode").MODE
    for result in run(subject_in(mode, package), matches=matches, pairs=pairs):
        if result.broken is not None:
            raise result.broken


def run(
    subject: Subject,
    *,
    matches: int = 500,
    pairs: int = 250,
    seed: int = 0,
    progress: Progress = lambda what, done, total: None,
) -> Iterator[Result]:
    """Check every property, and stop after the first stage that fails. Stages whose number is 0
    are left out."""
    stages: list[tuple[str, Callable[[], Iterator[Result]]]] = [
        ("", lambda: _declaration(subject)),
        ("", lambda: _options(subject)),
        ("", lambda: _hostile(subject, progress)),
    ]
    if matches:
        numbers = range(seed, seed + matches)
        stages.append(("--matches 1 --pairs 0", lambda: _matches(subject, numbers, progress)))
    if pairs:
        stages.append(("--matches 0 --pairs 1", lambda: _secrecy(subject, pairs, seed, progress)))
    for only, stage in stages:
        try:
            yield from stage()
        except Broken as broken:
            repeat = "" if broken.seed is None else f"--seed {broken.seed} {only}"
            yield Result(broken.rule, broken.text, broken, repeat)
            return


def _declaration(subject: Subject) -> Iterator[Result]:
    check_declaration(subject)
    mode = subject.mode
    counts = [(mode.options, "option"), (mode.presets, "preset"), (mode.parts, "part")]
    texts = [f"{len(given)} {word}{'' if len(given) == 1 else 's'}" for given, word in counts]
    yield Result(DECLARED, ", ".join([*texts, "a bot" if mode.bot else "no bot"]))


def _options(subject: Subject) -> Iterator[Result]:
    yield Result(SURVIVE, f"{check_options(subject):,} sets of options")


def _hostile(subject: Subject, progress: Progress) -> Iterator[Result]:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress("hostile input", done, INPUTS)

    taken = fuzz(subject, INPUTS, progress=step)
    yield Result(HOSTILE, f"{INPUTS:,} values, {taken:,} of them valid")


def _matches(subject: Subject, numbers: range, progress: Progress) -> Iterator[Result]:
    tally = Tally()
    for done, number in enumerate(numbers, 1):
        check_matches(subject, [number], tally)
        progress("random matches", done, len(numbers))
    if tally.matches >= ENOUGH and not tally.accepted.keys() & set(subject.game.spec.actions):
        raise Broken(
            matches.PLAY,
            f"none of the mode's actions was legal in {tally.matches:,} matches. "
            "Add act() to contract.py.",
        )
    yield Result(matches.PLAY, _summary(subject, tally))
    yield Result(checks.PLAIN, f"in {tally.matches:,} matches")
    if checks.has_board(subject.game):
        yield Result(checks.FORMAT, f"{tally.boards:,} boards")
    yield Result(checks.FOLDS, f"{tally.folds:,} views compared")
    yield Result(checks.REFUSALS, f"{tally.refusals:,} refused actions")
    yield Result(checks.READING, f"{tally.looks:,} views taken apart")
    yield Result(checks.VOCABULARY, f"{sum(tally.events.values()):,} events")
    yield Result(matches.REPLAYS, f"{tally.matches:,} logs replayed")
    yield Result(matches.SNAPSHOTS, f"{tally.matches:,} matches continued")


def _summary(subject: Subject, tally: Tally) -> str:
    """A line on random play: how far it got, and what it never did."""
    spec = subject.game.spec
    text = f"{tally.matches:,} matches, {tally.ended:,} to their end, {tally.entries:,} entries"
    if never := [kind for kind in spec.actions if not tally.accepted[kind]]:
        text += f"; never legal: {', '.join(never)}"
    if unseen := [kind for kind in spec.events if not tally.events[kind]]:
        text += f"; never seen: {', '.join(unseen)}"
    return text


def _secrecy(subject: Subject, pairs: int, seed: int, progress: Progress) -> Iterator[Result]:
    done = 0

    def step(new: int) -> None:
        nonlocal done
        done += new
        progress("pairs of states", done, pairs)

    if subject.game.spec.hidden:
        found = check_secrecy(subject, pairs, seed, step)
        yield Result(SECRECY, f"{found:,} pairs of states")
    else:
        found = check_openness(subject, pairs, seed, step)
        yield Result(SECRECY, f"nothing to hide: {found:,} positions are the same for everybody")
