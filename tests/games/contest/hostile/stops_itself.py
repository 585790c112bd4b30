"""Stops all of its processes, so that none can be asked to end."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import os
import signal


class StoppedPlayer:
    name = "stopped"

    def take_turn(self, state):
        for _ in range(3):
            if os.fork() == 0:
                os.kill(os.getpid(), signal.SIGSTOP)
        os.kill(-1, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGSTOP)
