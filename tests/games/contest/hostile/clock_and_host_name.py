"""Changes what belongs to the whole machine."""
# reason: crashed: RuntimeError: contained

import os
import socket
import time

from attempts import attempt, report


class MachinePlayer:
    name = "machine"

    def take_turn(self, state):
        attempt("clock", lambda: time.clock_settime(time.CLOCK_REALTIME, 0))
        attempt("host name", lambda: socket.sethostname("mine"))
        attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, -20))
        attempt("real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)))
        report()
