"""Ignores every signal that can be ignored, and the death of its parent."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import contextlib
import ctypes
import signal
import time

PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


class DeafPlayer:
    name = "deaf"

    def take_turn(self, state):
        for number in signal.valid_signals():
            with contextlib.suppress(OSError):
                signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        for option in (PR_SET_PDEATHSIG, PR_SET_DUMPABLE):
            ctypes.CDLL(None).prctl(option, 0, 0, 0, 0)
        while True:
            time.sleep(600)
