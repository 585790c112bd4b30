"""Reads the referee's questions itself, and writes into the pipe that they come from."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import contextlib
import os


class StealingPlayer:
    name = "stealing"

    def take_turn(self, state):
        with contextlib.suppress(OSError):
            os.write(3, b'{"move": [0, 0]}\n')
        while True:
            with contextlib.suppress(OSError):
                os.read(3, 100)
