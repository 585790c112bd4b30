"""Types into the terminal that the contest was started from."""
# reason: crashed: RuntimeError: contained

import fcntl
import os
import termios

from attempts import attempt, report


class TypingPlayer:
    name = "typing"

    def take_turn(self, state):
        attempt("terminal", lambda: os.open("/dev/tty", os.O_RDWR))
        for descriptor in range(6):
            attempt("typing", lambda d=descriptor: fcntl.ioctl(d, termios.TIOCSTI, b"x"))
        report()
