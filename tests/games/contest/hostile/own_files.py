"""Changes its own file, its library and the system's files for the next game."""
# reason: crashed: RuntimeError: contained

import os
import sys

from attempts import attempt, report


class RewritingPlayer:
    name = "rewriting"

    def take_turn(self, state):
        runner = sys.modules["__main__"].__file__
        for path in (__file__, "/player/lib/attempts.py", runner, sys.executable, "/usr/bin/env"):
            attempt(f"write {path}", lambda path=path: open(path, "a"))
            attempt(f"chmod {path}", lambda path=path: os.chmod(path, 0o777))
            attempt(f"unlink {path}", lambda path=path: os.unlink(path))
            attempt(f"link {path}", lambda path=path: os.link(path, path + "x"))
            attempt(f"touch {path}", lambda path=path: os.utime(path))
        report()
