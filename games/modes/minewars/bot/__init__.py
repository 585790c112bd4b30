"""The house bots of MineWars. They decide from their seat's view alone.

`skill` says what a bot of some strength does at all, `board` whose land is where, `digits` what
they prove, `purse` what an order costs and who pays, `aim` where to go next. `war`, `trap`,
`scout`, `build` and `upkeep` each propose orders; `player` picks one. `ban` votes before the match.
`simulation` lets bots play each other without a server, `figures` says how that went.
"""

from .board import Board
from .player import MineWarsBot

__all__ = ["Board", "MineWarsBot"]
