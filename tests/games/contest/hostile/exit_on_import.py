"""Ends its process while it is loaded."""
# reason: its process ended

import os

os._exit(0)


class GonePlayer:
    name = "gone"

    def take_turn(self, state):
        return 0, 0
