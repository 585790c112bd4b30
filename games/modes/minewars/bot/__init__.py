"""The house bots of MineWars. They decide from their seat's view alone.

`skill` says what a bot of some strength does at all, `board` what the digits of a view say, `purse`
what an order costs and who pays, `aim` where to go next. `war`, `trap` and `build` each propose
orders; `player` picks one. `simulation` lets bots play each other without a server.
"""

from .board import Board
from .player import MineWarsBot

__all__ = ["Board", "MineWarsBot"]
