"""The board as one client knows it, and the messages that bring it up to date."""

from __future__ import annotations

from typing import Any

from . import codec

EXPOSED = 9
FIRST_OWNER = 10
HIDDEN = 20


class Told:
    """Keeps the cells as the engine's view numbers them: 0 to 8 own, 9 an exposed mine, 10 + seat
    another's, 20 and more hidden."""

    def __init__(self, size: int, seat: int, names: list[str]) -> None:
        self.size = size
        self.seat = seat
        self.names = names
        self._cells = bytearray([HIDDEN]) * (size * size)
        self._struck: dict[int, int] = {}
        self._fresh: set[int] = set()
        """Owned cells that were told, and not asked for since."""

    def again(self, cell: int) -> str | None:
        """The text on this cell that the client has got already, if somebody owns it."""
        known = self._cells[cell]
        return None if known == EXPOSED or known >= HIDDEN else self._message(cell, known)

    def ask(self, cell: int) -> bool:
        """Is this the first time that the client asks for the cell since it was told of it?"""
        if cell in self._fresh:
            self._fresh.remove(cell)
            return True
        return False

    def claimed(self, event: dict[str, Any]) -> list[str]:
        if event["seat"] == self.seat:
            pairs = zip(event["cells"], event["numbers"], strict=True)
            return [self._show(cell, number) for cell, number in pairs]
        return [self._show(cell, FIRST_OWNER + event["seat"]) for cell in event["cells"]]

    def frozen(self, seat: int, cell: int) -> str:
        """Whoever hears of the freeze knows of the mine: from here on it counts as exposed."""
        self._struck[seat] = cell
        self._cells[cell] = EXPOSED
        return codec.at(cell, self.size, "f", self.names[seat])

    def thawed(self, seat: int, exposed: int | None) -> list[str]:
        """There is no message for a mine becoming exposed: the freeze gave its place. One that
        did not, for it was regenerated in the meantime, is gone."""
        cell = self._struck.pop(seat, None)
        if exposed is not None:
            self._cells[exposed] = EXPOSED
        elif cell is not None and self._cells[cell] == EXPOSED:
            return [self._show(cell, HIDDEN)]
        return []

    def regenerated(self, event: dict[str, Any]) -> list[str]:
        gone = [self._show(cell, HIDDEN) for cell in event["cells"]]
        rim = zip(event["rim"], event["numbers"], strict=True)
        return [text for text in gone if text] + [self._show(*pair) for pair in rim]

    def caught_up(self, event: dict[str, Any]) -> list[str]:
        """The events of the freeze: first the freezes of others, then the cells. A mine that
        froze somebody and neither is exposed now nor holds that player still is gone."""
        known = [*self._struck.values(), *(strike["cell"] for strike in event["strikes"])]
        strikes = [self.frozen(strike["seat"], strike["cell"]) for strike in event["strikes"]]
        codes = dict(zip(event["cells"], event["codes"], strict=True))
        changes = [self._show(cell, code) for cell, code in codes.items()]
        self._struck = {
            seat: freeze["cell"] for seat, freeze in enumerate(event["frozen"]) if freeze
        }
        kept = {*self._struck.values(), *(cell for cell in codes if codes[cell] == EXPOSED)}
        gone = [
            self._show(cell, HIDDEN)
            for cell in known
            if cell not in kept and self._cells[cell] == EXPOSED
        ]
        return strikes + [text for text in changes if text] + gone

    def _show(self, cell: int, now: int) -> str:
        """The message that turns what was told of the cell into what it is now; empty for none."""
        before, self._cells[cell] = self._cells[cell], now
        if now < HIDDEN and now != EXPOSED:
            self._fresh.add(cell)
            return self._message(cell, now)
        self._fresh.discard(cell)
        if now == EXPOSED or before >= HIDDEN:
            return ""
        what = "N" if before == EXPOSED else "y" if before < EXPOSED else "o"
        return codec.at(cell, self.size, "s", what)

    def _message(self, cell: int, owned: int) -> str:
        if owned < EXPOSED:
            return codec.at(cell, self.size, "c", str(owned))
        return codec.at(cell, self.size, "o", self.names[owned - FIRST_OWNER])
