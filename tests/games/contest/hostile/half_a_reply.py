"""Sends a reply byte by byte, and never its end."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import os
import time


class HalfPlayer:
    name = "half"

    def take_turn(self, state):
        while True:
            os.write(4, b" ")
            time.sleep(0.01)
