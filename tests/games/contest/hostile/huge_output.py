"""Writes into every descriptor as fast as it can."""
# reason: sent too much|its process ended

import contextlib
import os


class LoudPlayer:
    name = "loud"

    def take_turn(self, state):
        while True:
            for descriptor in range(64):
                with contextlib.suppress(OSError):
                    os.write(descriptor, b"x" * 65536)
