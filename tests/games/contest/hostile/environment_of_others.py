"""Looks for the environment and the command lines of other processes."""
# reason: crashed: RuntimeError: contained

import os
import pathlib

from attempts import attempt, report


class EnvironPlayer:
    name = "environ"

    def take_turn(self, state):
        for pid in (1, os.getppid(), os.getpid()):
            for file in ("environ", "cmdline", "maps", "root/etc/passwd", "cwd"):
                path = pathlib.Path(f"/proc/{pid}/{file}")
                attempt(str(path), path.read_bytes)
        report()
