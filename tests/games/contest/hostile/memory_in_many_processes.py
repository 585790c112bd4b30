"""Spreads its memory over processes that are below the limit of one and hide what they hold."""
# reason: used more than 512 MB of memory

import ctypes
import os
import time

PR_SET_DUMPABLE = 4


class SpreadPlayer:
    name = "spread"

    def take_turn(self, state):
        for _ in range(24):
            if os.fork() == 0:
                ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
                hoard = bytearray(b"x") * (100 << 20)
                time.sleep(600)
                del hoard
        time.sleep(600)
