"""Sends SIGKILL to its parent, to its group and to everybody."""
# reason: its process ended

import contextlib
import os


class KillingPlayer:
    name = "killing"

    def take_turn(self, state):
        for target in (os.getppid(), 1, -1, 0):
            with contextlib.suppress(OSError):
                os.kill(target, 9)
        os._exit(1)
