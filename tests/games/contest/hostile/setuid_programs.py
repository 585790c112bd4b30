"""Starts the programs that make others root."""
# reason: crashed: RuntimeError: contained

import os
import subprocess

from attempts import attempt, report


class SetuidPlayer:
    name = "setuid"

    def take_turn(self, state):
        def as_root(command):
            told = subprocess.run(command, capture_output=True, check=False, timeout=5, text=True)
            if told.returncode or told.stdout.strip() != "0":
                raise OSError

        for command in (["su", "-c", "id -u"], ["sudo", "-n", "id", "-u"], ["newgrp"]):
            attempt(command[0], lambda command=command: as_root(command))
        attempt("mount", lambda: as_root(["mount", "--bind", "/usr", "/player"]))
        attempt("bwrap", lambda: as_root(["bwrap", "--bind", "/", "/", "id", "-u"]))
        if os.geteuid() == 0:
            attempt("root", lambda: None)
        report()
