"""Connects to a unix socket that has no file, only a name."""
# reason: crashed: RuntimeError: contained

import socket

from attempts import attempt, report
from canary import ABSTRACT


class AbstractPlayer:
    name = "abstract"

    def take_turn(self, state):
        def connect():
            socket.socket(socket.AF_UNIX).connect("\0" + ABSTRACT)

        attempt("abstract socket", connect)
        report()
