"""Reads and changes files of the host."""
# reason: crashed: RuntimeError: contained

import os

from attempts import attempt, report
from canary import SECRET


class ReadingPlayer:
    name = "reading"

    def take_turn(self, state):
        for path in (SECRET, "/etc/passwd", "/etc/shadow", "/proc/self/root" + SECRET):
            attempt(f"read {path}", lambda path=path: open(path).read())
            attempt(f"write {path}", lambda path=path: open(path, "w"))
            attempt(f"truncate {path}", lambda path=path: os.truncate(path, 0))
            attempt(f"touch {path}", lambda path=path: os.utime(path))
            attempt(f"link {path}", lambda path=path: os.link(path, "/tmp/x"))
        for folder in ("/root", "/home", "/var", "/srv", "/mnt", "/sys", "/proc", "/run/user"):
            attempt(f"list {folder}", lambda folder=folder: os.listdir(folder))
        report()
