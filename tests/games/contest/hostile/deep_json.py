"""Replies with brackets that nest deeper than a parser likes."""
# reason: sent something that is not a reply

import os


class NestedPlayer:
    name = "nested"

    def take_turn(self, state):
        os.write(4, b"[" * 4000 + b"\n")
