"""Runs programs with a library and a start-up file of its own."""
# reason: crashed: RuntimeError: contained

import os
import subprocess

from attempts import attempt, report
from canary import SECRET

VARIABLES = {
    "LD_PRELOAD": "/player/lib/evil.so",
    "LD_LIBRARY_PATH": "/player/lib",
    "LD_AUDIT": "/player/lib/evil.so",
    "PYTHONSTARTUP": "/player/lib/attempts.py",
    "GCONV_PATH": "/player/lib",
}


class PreloadPlayer:
    name = "preload"

    def take_turn(self, state):
        os.environ.update(VARIABLES)
        for command in (["cat", SECRET], ["su", "-c", "id"], ["mount", "-t", "tmpfs", "x", "/run"]):
            attempt(command[0], lambda command=command: succeed(command))
        report()


def succeed(command):
    if subprocess.run(command, capture_output=True, check=False, timeout=5).returncode:
        raise OSError
