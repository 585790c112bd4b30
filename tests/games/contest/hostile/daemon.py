"""Leaves a process behind, in a session of its own and with all signals ignored."""
# reason: crashed: RuntimeError: left one

import os

from canary import MARKER


class DaemonPlayer:
    name = "daemon"

    def take_turn(self, state):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/bin/sh", ["sh", "-c", f"trap '' HUP INT TERM; sleep 600; : {MARKER}"])
            os._exit(0)
        raise RuntimeError("left one")
