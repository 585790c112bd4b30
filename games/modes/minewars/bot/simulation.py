"""House bots against each other on the engine alone; their pauses become match time."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from games.bots.decision import Decision
from games.bots.roster import Character
from games.engine.game import Input, Kind, Setup
from games.engine.registry import game

from .player import MineWarsBot

MOST_INPUTS: Final = 200_000


@dataclass(slots=True)
class Report:
    """What became of a match."""

    milliseconds: int = 0
    reason: str = ""
    ranks: tuple[int, ...] = ()
    contact_ms: int | None = None
    """When tiles of two empires first touched."""
    tiles_at_contact: tuple[int, ...] = ()
    """By seat."""
    actions: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By seat and type; items and structures by their names."""
    refused: list[Any] = field(default_factory=list)


class Match:
    """One match. As on the site, the pause before an order runs on while others act; what to do is
    decided anew when it ends."""

    def __init__(self, options: dict[str, Any], characters: list[Character], seed: int) -> None:
        self.rules = game("minewars")
        seats = len(characters)
        setup = Setup(
            "minewars",
            self.rules.spec.version,
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

    def play(self, until_ms: int | None = None) -> Report:
        """To the end, or to this time."""
        rules, report = self.rules, self.report
        for _ in range(MOST_INPUTS):
            outcome = rules.outcome(self.state)
            if outcome is not None:
                report.reason, report.ranks = outcome.reason, tuple(outcome.ranks)
            report.milliseconds = self.now
            if outcome is not None or (until_ms is not None and self.now >= until_ms):
                return report
            self._step()
        raise RuntimeError("this match does not end")

    def _step(self) -> None:
        for seat in sorted(self._stale - self._due.keys()):
            self._stale.discard(seat)
            decision = self._decide(seat)
            if decision is not None:
                self._due[seat] = self.now + int(decision.after * 1000)
        timer = self.rules.due(self.state)
        first = min(self._due, key=self._due.__getitem__, default=None)
        if first is not None and (timer is None or self._due[first] < timer):
            self.now = max(self.now, self._due.pop(first))
            decision = self._decide(first)
            if decision is not None:
                self._stale.add(first)
                self._count(first, decision.action)
                action = self.rules.parse_action(decision.action)
                self._apply(Input(self.now, Kind.ACTION, first, action))
        else:
            assert timer is not None, "nobody moves and no timer runs"
            self.now = max(self.now, timer)
            self._apply(Input(self.now, Kind.TICK))

    def _decide(self, seat: int) -> Decision | None:
        return self._bots[seat].decide(self.rules.view(self.state, seat), self.now)

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
            self.report.contact_ms = self.now
            inner = self.state.game
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
