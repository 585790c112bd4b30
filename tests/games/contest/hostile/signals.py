"""Sends signals to its parents, its group, everybody, and to guessed process ids."""
# reason: (its process ended|crashed: RuntimeError: contained)

import os
import signal

from attempts import attempt, report


class SignalPlayer:
    name = "signal"

    def take_turn(self, state):
        for number in (signal.SIGSTOP, signal.SIGUSR1, signal.SIGWINCH):
            # Process 1 of the namespace has no handlers, and so gets none of these.
            os.kill(1, number)
        for pid in (*range(2, 50), *range(1000, 1100), 4194303):
            if pid not in (os.getpid(), os.getppid()):
                attempt(f"process {pid}", lambda pid=pid: os.kill(pid, signal.SIGKILL))
        report()
