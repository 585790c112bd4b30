"""Connects to a unix socket of the host."""
# reason: crashed: RuntimeError: contained

import socket

from attempts import attempt, report
from canary import UNIX


class UnixPlayer:
    name = "unix"

    def take_turn(self, state):
        attempt("unix", lambda: socket.socket(socket.AF_UNIX).connect(UNIX))
        for family in (socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK, socket.AF_ALG):
            kind = socket.SOCK_RAW if family == socket.AF_PACKET else socket.SOCK_DGRAM
            attempt(family.name, lambda f=family, k=kind: socket.socket(f, k))
        report()
