"""House bots against each other on the engine alone; their pauses become match time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from games.bots.decision import Decision
from games.bots.roster import Character
from games.engine.game import Input, Kind, Setup
from games.engine.registry import game

from .player import MineWarsBot

MOST_INPUTS: Final = 200_000
FIRST_LOOK_MS: Final = 1000
LOOK_AGAIN_MS: Final = 1000
"""Money comes in without news: a bot with nothing to do looks again."""


@dataclass(slots=True)
class Report:
    """The figures of one match."""

    milliseconds: int = 0
    reason: str = ""
    ranks: tuple[int, ...] = ()
    contact_ms: int | None = None
    """The time at which tiles of two empires first touched."""
    tiles_at_contact: tuple[int, ...] = ()
    """By seat."""
    actions: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By seat and type; items and structures by their names."""
    refused: list[Any] = field(default_factory=list)
    thinking: Counter[int] = field(default_factory=Counter)
    """The number of decisions that took so many hundredths of a millisecond of the processor's
    time."""

    def as_json(self) -> dict[str, Any]:
        return {
            "milliseconds": self.milliseconds,
            "reason": self.reason,
            "ranks": self.ranks,
            "contact_ms": self.contact_ms,
            "tiles_at_contact": self.tiles_at_contact,
            "actions": [[seat, kind, n] for (seat, kind), n in sorted(self.actions.items())],
            "refused": len(self.refused),
            "thinking": sorted(self.thinking.items()),
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Report:
        return cls(
            raw["milliseconds"],
            raw["reason"],
            tuple(raw["ranks"]),
            raw["contact_ms"],
            tuple(raw["tiles_at_contact"]),
            Counter({(seat, kind): n for seat, kind, n in raw["actions"]}),
            [None] * raw["refused"],
            Counter(dict(map(tuple, raw["thinking"]))),
        )


class Match:
    """One match. As on the site, a bot's pause runs on while others act, and what to do is decided
    when it ends. The pause is that of the order before: so every order is decided once."""

    def __init__(
        self,
        options: dict[str, Any],
        characters: list[Character],
        seed: int,
        version: int | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`clock`: seconds of processor time, to measure how long the bots think."""
        self._clock = clock
        self.rules = game("minewars")
        seats = len(characters)
        setup = Setup(
            "minewars",
            version or self.rules.spec.version,
            seed.to_bytes(32, "big"),
            seats,
            self.rules.parse_options(options),
            0,
        )
        self.state = self.rules.start(setup)
        self.now = 0
        self.report = Report()
        self._bots = [MineWarsBot(c, Random(seed * 64 + i)) for i, c in enumerate(characters)]
        self._due: dict[int, int] = {}
        """By seat: when its pause ends. The others wait for news."""
        self._stale = set(range(seats))
        self._pause = [FIRST_LOOK_MS] * seats

    def play(self, until_ms: int | None = None) -> Report:
        """To the end, or to this time."""
        rules, report = self.rules, self.report
        for _ in range(MOST_INPUTS):
            outcome = rules.outcome(self.state)
            if outcome is not None:
                report.reason, report.ranks = outcome.reason, tuple(outcome.ranks)
            report.milliseconds = self.now - (self.state.game.began or 0)
            if outcome is not None or (until_ms is not None and self.now >= until_ms):
                return report
            self._step()
        raise RuntimeError("this match doesn't end")

    def _step(self) -> None:
        for seat in sorted(self._stale - self._due.keys()):
            self._stale.discard(seat)
            self._due[seat] = self.now + self._pause[seat]
        timer = self.rules.due(self.state)
        first = min(self._due, key=self._due.__getitem__, default=None)
        if first is not None and (timer is None or self._due[first] < timer):
            self.now = max(self.now, self._due.pop(first))
            decision = self._decide(first)
            if decision is None:
                self._due[first] = self.now + LOOK_AGAIN_MS
            else:
                self._stale.add(first)
                self._pause[first] = int(decision.after * 1000)
                self._count(first, decision.action)
                action = self.rules.parse_action(decision.action)
                self._apply(Input(self.now, Kind.ACTION, first, action))
        else:
            assert timer is not None, "nobody moves and no timer runs"
            self.now = max(self.now, timer)
            self._apply(Input(self.now, Kind.TICK))

    def _decide(self, seat: int) -> Decision | None:
        view = self.rules.view(self.state, seat)
        began = self._clock()
        decision = self._bots[seat].decide(view, self.now)
        self.report.thinking[round((self._clock() - began) * 100_000)] += 1
        return decision

    def _count(self, seat: int, action: dict[str, Any]) -> None:
        kind = action.get("item") or action.get("structure") or action["type"]
        self.report.actions[seat, kind] += 1

    def _apply(self, given: Input) -> None:
        moved = False
        for told in self.rules.apply(self.state, given):
            if told.event["type"] == "refused":
                self.report.refused.append((told.event, given.action))
            moved = moved or told.event["type"] == "tiles"
            self._stale.update(s for s in told.to if s is not None and s < len(self._bots))
        if moved and self.report.contact_ms is None and self._touch():
            inner = self.state.game
            self.report.contact_ms = self.now - inner.began
            self.report.tiles_at_contact = tuple(
                inner.empires[empire].tiles for empire in inner.empire_of
            )

    def _touch(self) -> bool:
        inner = self.state.game
        owner = inner.owner
        return any(
            owner[n] not in (0, owner[c])
            for c in range(inner.topo.size)
            if owner[c]
            for n in inner.topo.neighbours[c]
        )
