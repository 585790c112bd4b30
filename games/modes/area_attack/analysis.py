"""Judges claims and chords."""

from __future__ import annotations

from games.bots.judging import KNOWN_MINE, FieldJudge, Verdict
from games.bots.reading import Reader

from .reader import AreaReader
from .rules import seeing


class AreaAttackJudge(FieldJudge):
    moves = frozenset({"claim", "chord"})
    opening = "claimed"
    striking = "struck"
    flag = seeing.FLAGGED

    def size(self) -> tuple[int, int]:
        side = self.view["options"]["size"]
        return side, side

    def new_reader(self) -> Reader:
        options = self.view["options"]
        return AreaReader(options["size"], options["density"])

    def is_hidden(self, code: int) -> bool:
        return code >= seeing.HIDDEN

    def may_open(self, cell: int) -> bool:
        """From stage 2 on, only cells that touch one's own."""
        if not self.reader.is_hidden(cell):
            return False
        game = self.view["game"]
        if game["stage"] < 2:
            return True
        return any(game["cells"][n] < seeing.EXPOSED_MINE for n in self.neighbours[cell])

    def _judge(self, targets: list[int]) -> Verdict:
        """A claim on a known mine is an attack, which is no mistake: it gives nothing up."""
        verdict = super()._judge(targets)
        if verdict.label == KNOWN_MINE:
            verdict.best = verdict.chance
        return verdict
