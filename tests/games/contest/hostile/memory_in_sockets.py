"""Keeps memory in the buffers of sockets, and descriptors in flight."""
# reason: crashed: RuntimeError: contained

import os
import socket

from attempts import attempt, report


class BufferPlayer:
    name = "buffer"

    def take_turn(self, state):
        def hoard():
            for _ in range(20):
                left, _ = socket.socketpair()
                left.setblocking(False)
                left.send(bytes(100_000))
                left.detach()

        os.fork()
        attempt("socket buffers", hoard)
        report()
