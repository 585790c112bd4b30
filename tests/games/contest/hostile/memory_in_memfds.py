"""Keeps memory in files without a name: 50 of 15 MB in two processes."""
# reason: crashed: RuntimeError: contained

import os

from attempts import attempt, report


class MemfdPlayer:
    name = "memfd"

    def take_turn(self, state):
        os.fork()

        def hoard():
            for _ in range(50):
                descriptor = os.memfd_create("x")
                os.write(descriptor, bytes(15 << 20))

        attempt("memfd", hoard)
        report()
