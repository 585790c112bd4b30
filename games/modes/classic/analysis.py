"""Judges the moves of a game."""

from __future__ import annotations

from games.bots.judging import BoardJudge


class ClassicJudge(BoardJudge):
    def is_given(self, targets: list[int]) -> bool:
        """The first reveal is safe where the rules say so."""
        game = self.view["game"]
        if game["started"] is not None:
            return False
        if game["start"] is not None:
            return targets == [game["start"]]
        return bool(self.view["options"]["safe_first"])
