"""Closes every descriptor and goes on living."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import os
import time


class ClosingPlayer:
    name = "closing"

    def take_turn(self, state):
        os.closerange(0, 64)
        time.sleep(600)
