"""A mode: its rules, and everything the site knows and tells of it, in one value.

A mode is a Django app whose `mode.py` has a `MODE`. Option forms, API schemas, queue pages, lobby
lists, leaderboards and docs are made from it; no other place knows a mode by name. docs/modes.md
is the contract for authors.

Texts are plain English, marked with `gettext_noop`, and translated where they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Protocol

from .figures import Figures, Moves
from .game import Game, Outcome, Rules
from .lifecycle import Lifecycle
from .options import Option, Preset
from .text import TextProtocol

NAME: Final = re.compile(r"[a-z][a-z0-9-]{1,19}")
"""A name is a part of addresses, and is stored with every match."""

PARTS: Final = frozenset(
    {"fold", "lesson", "match", "mini", "picture", "replay", "rules", "style", "texts"}
)
"""The parts that a mode can bring for the browser: modules and a style sheet in
static/modes/<name>/, and `rules`, its page of rules, in templates/modes/<name>/rules.html."""

OptionValues = dict[str, Any]


@dataclass(frozen=True)
class Demo:
    """A kind of match that `manage.py demo` plays, and how often beside the others."""

    seats: int
    share: int
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Daily:
    """The board of the day: the same dealt board for everybody. The mode's options `width`,
    `height`, `mines` and `no_guess` make it, and the truth after the end tells `won`, `aided` and
    `time_ms`. One mode can have it."""

    width: int
    height: int
    mines: int

    @property
    def options(self) -> OptionValues:
        return {**self.size, "no_guess": True}

    @property
    def size(self) -> dict[str, int]:
        return {"width": self.width, "height": self.height, "mines": self.mines}


class Timeline(Protocol):
    """The part of a finished match's replay that no player was told at the time."""

    def look(self, state: Any, t: int) -> None:
        """The rules' state at match time `t`: at the start, then after every entry of the log."""

    def told(self) -> dict[str, Any]:
        """The value that the mode's replay.js gets as `truth.timeline`."""


@dataclass(frozen=True, kw_only=True)
class Mode:
    """One mode. Only `name`, `title`, `blurb` and `rules` are required."""

    name: str
    title: str
    blurb: str
    """One sentence: what makes one want to play it."""
    rules: Rules[Any]
    in_short: tuple[str, ...] = ()
    """The rules in three or four lines."""
    figures: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of the rules that its page of rules tells, as `figures`, beside the defaults of its
    options, which the page has as `options`."""
    options: tuple[Option, ...] = ()
    """The options that `rules.parse_options` reads, in the order of the form."""
    presets: tuple[Preset, ...] = ()
    first_steps: tuple[str, ...] = ()
    """Names of presets for newcomers: "Play now" takes the first one, and the next after a win."""
    rated: bool = True
    """Whether matches can be rated. A mode for one player never is."""
    order: int = 1000
    """Its place in lists; modes of the same order are sorted by name."""
    parts: frozenset[str] = frozenset()
    """Those of PARTS that it has. Without `match` it is played on the generic board, if its view
    has one; without that, only by programs."""
    bot: Callable[..., Any] | None = None
    """`bot(character, random)` makes a house bot (games/bots/decision.py)."""
    judge: Callable[..., Any] | None = None
    """`judge(view)` returns a Judge, which rates a seat's moves (games/bots/judging.py)."""
    solo_figures: Callable[[Any, Moves], Figures | None] | None = None
    """For a mode for one player: `solo_figures(state, moves)` are the figures of a finished game,
    for statistics and leaderboards; None of one that never began."""
    hint: Callable[..., Any] | None = None
    """`hint(view, cell)` helps a player who plays alone."""
    rematch_options: Callable[[OptionValues, Outcome], OptionValues] | None = None
    """The options of a rematch, from those of the match and its outcome."""
    text_options: Callable[[OptionValues], OptionValues] | None = None
    """The options of a match in which somebody plays over the text protocol."""
    text: TextProtocol | None = None
    """Its text protocol (games/engine/text.py)."""
    daily: Daily | None = None
    """The board of the day, in the mode that has it."""
    board: Callable[[Any], tuple[int, int, int] | None] | None = None
    """For modes whose matches may get a board without guessing: from parsed options, its columns,
    rows and mines; None when the rules lay the mines themselves, from the seed."""
    spectator_delay: Callable[[Mapping[str, Any]], int] | None = None
    """For modes that keep something from a player for a while: from the match's options, how many
    milliseconds spectators are behind, so that a second socket doesn't tell it."""
    lays_mines: frozenset[str] = frozenset()
    """Events after which mines may lie elsewhere. For modes whose truth has `mines`: a replay
    shows where they lay at each moment."""
    timeline: Callable[[], Timeline] | None = None
    """Makes a Timeline, for a truth that changes in other ways."""
    slow_start: bool = False
    """`rules.start` takes longer than a few milliseconds: another process makes the start of each
    match, once, when the match is made."""
    demo: tuple[Demo, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)
    """The reasons why a match of this mode can end, in the few words of a history row."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is not a name of a mode: {NAME.pattern}")
        if self.name != self.rules.spec.name:
            raise ValueError(f"The rules of {self.name} say that they are {self.rules.spec.name}.")
        if unknown := self.parts - PARTS:
            raise ValueError(f"{self.name} has unknown parts: {', '.join(sorted(unknown))}.")
        if foreign := set(self.first_steps) - {preset.name for preset in self.presets}:
            raise ValueError(f"{self.name} has no presets {', '.join(sorted(foreign))}.")

    @cached_property
    def game(self) -> Game[Any]:
        """The rules with the lifecycle around them."""
        return Lifecycle(self.rules)

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most players."""
        spec = self.rules.spec
        return spec.min_seats, spec.max_seats

    @property
    def solo(self) -> bool:
        """For one player alone."""
        return self.rules.spec.max_seats == 1

    @property
    def in_browser(self) -> bool:
        """People can play it: on its own match view, or on the generic board, which draws views of
        the common format (boardgame.py)."""
        return "match" in self.parts or "board" in self.rules.spec.events

    @property
    def may_be_rated(self) -> bool:
        return self.rated and not self.solo

    def has(self, part: str) -> bool:
        return part in self.parts

    def preset(self, name: str) -> Preset:
        """The preset of this name; KeyError when there is none."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        raise KeyError(name)

    def option(self, name: str) -> Option | None:
        return next((option for option in self.options if option.name == name), None)
