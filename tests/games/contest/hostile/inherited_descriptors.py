"""Looks for descriptors that were left open and lead out."""
# reason: crashed: RuntimeError: contained

import os
import stat

from attempts import attempt, report


class InheritingPlayer:
    name = "inheriting"

    def take_turn(self, state):
        def leads_somewhere(descriptor):
            mode = os.fstat(descriptor).st_mode
            if not (stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
                return
            raise OSError

        for descriptor in range(4096):
            attempt(f"descriptor {descriptor}", lambda d=descriptor: leads_somewhere(d))
            attempt("up", lambda d=descriptor: os.open("..", os.O_RDONLY, dir_fd=d))
        report()
