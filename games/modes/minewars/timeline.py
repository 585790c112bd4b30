"""A finished match from start to end, for the replay: every tile as it truly was, and how the
empires stood."""

from __future__ import annotations

from typing import Any, Final

from .rules.state import State
from .rules.views import true_code, truth

MOST_ROWS: Final = 400
"""The figures that a plot can show."""

Row = list[list[int]]


class MineWarsTimeline:
    """Looks at the state after each entry of the log and notes what is different."""

    def __init__(self) -> None:
        self._start: list[int] = []
        self._codes: list[int] = []
        self._changes: list[list[Any]] = []
        self._rows: list[tuple[int, Row]] = []
        self._layers: list[bytes] = []
        self._placed: list[dict[int, int]] = []

    def look(self, state: State, t: int) -> None:
        layers = [bytes(one) for one in (state.kind, state.owner, state.item, state.skull)]
        placed = [
            {cell: structure.hp for cell, structure in state.structures.items()},
            {cell: jobs[0].kind for cell, jobs in state.pending.items()},
            dict.fromkeys(state.shield, 1),
            dict.fromkeys(state.smoke, 1),
        ]
        if not self._codes:
            self._start = truth(state)["tiles"]
            self._codes = list(self._start)
        else:
            self._compare(state, t, layers, placed)
        self._layers, self._placed = layers, placed
        row = (t, _figures(state, t))
        if self._rows and self._rows[-1][0] == t:
            self._rows[-1] = row
        else:
            self._rows.append(row)

    def _compare(
        self, state: State, t: int, layers: list[bytes], placed: list[dict[int, int]]
    ) -> None:
        touched: set[int] = set()
        for before, now in zip(self._layers, layers, strict=True):
            if before != now:
                pairs = enumerate(zip(before, now, strict=True))
                touched.update(cell for cell, (a, b) in pairs if a != b)
        for was, has in zip(self._placed, placed, strict=True):
            if was != has:
                touched.update(cell for cell, _ in was.items() ^ has.items())
        told: list[int] = []
        for cell in sorted(touched):
            code = true_code(state, cell)
            if code != self._codes[cell]:
                self._codes[cell] = code
                told += (cell, code)
        if told:
            self._changes.append([t, told])

    def told(self) -> dict[str, Any]:
        """`tiles` at the start; `changes`: pairs of match time and a flat list of cells and their
        new codes; `figures`: pairs of match time and, by empire, cities, tiles and money."""
        gap = self._rows[-1][0] / MOST_ROWS
        rows = self._rows[:1]
        for row in self._rows[1:]:
            if row[0] >= rows[-1][0] + gap:
                rows.append(row)
        if rows[-1] is not self._rows[-1]:
            rows.append(self._rows[-1])
        return {"tiles": self._start, "changes": self._changes, "figures": rows}


def _figures(state: State, t: int) -> Row:
    money = [0] * len(state.empires)
    for number, city in enumerate(state.cities):
        money[state.city_owner(number)] += city.money(t) // 1000
    return [
        [one.cities, one.tiles, money[number]] for number, one in enumerate(state.empires) if number
    ]
