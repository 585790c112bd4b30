"""Replaces what its runner uses; the referee has its own."""
# reason: wrong return|its process ended|sent something

import builtins
import json
import sys


class PatchingPlayer:
    name = "patching"

    def take_turn(self, state):
        def everything_is_won(*arguments, **options):
            return '{"move": {"won": true}}'

        json.dumps = everything_is_won
        builtins.isinstance = lambda *_: True
        sys.modules["__main__"].plain = lambda move: {"won": True}
        sys.modules["games.contest.game"] = sys.modules["__main__"]
        return 0, 0
