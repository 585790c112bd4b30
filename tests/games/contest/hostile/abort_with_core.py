"""Dies in a way that leaves a core dump where those are on."""
# reason: its process ended

import os


class CorePlayer:
    name = "core"

    def take_turn(self, state):
        os.abort()
