"""Looks for the seed in all that it can see."""
# reason: crashed: RuntimeError: contained

import gc
import os
import sys

from attempts import attempt, report
from canary import SEED_IN_HEX


class ForesightPlayer:
    name = "foresight"

    def take_turn(self, state):
        seen = [*os.environ.values(), *sys.argv, *sys.orig_argv]
        seen += [thing for thing in gc.get_objects() if isinstance(thing, (str, bytes))]
        for thing in seen:
            text = thing if isinstance(thing, str) else thing.hex()
            if text.endswith(SEED_IN_HEX[8:]):
                attempt("seed", lambda: None)
        names = {type(thing).__name__ for thing in gc.get_objects()}
        for name in {"Board", "MineField", "ContestGame"} & names:
            attempt(name, lambda: None)
        report()
