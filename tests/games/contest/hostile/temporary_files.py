"""Makes files without a name, wherever that might be possible, and links of both kinds."""
# reason: crashed: RuntimeError: contained

import os
import tempfile

from attempts import attempt, report

FOLDERS = ("/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/player", "/player/lib", "/run", "/usr")
FLAGS = os.O_TMPFILE | os.O_RDWR


class TemporaryPlayer:
    name = "temporary"

    def take_turn(self, state):
        for folder in FOLDERS:
            attempt(f"O_TMPFILE {folder}", lambda folder=folder: os.open(folder, FLAGS, 0o600))
            attempt(f"mkfifo {folder}", lambda folder=folder: os.mkfifo(f"{folder}/pipe"))
            attempt(f"symlink {folder}", lambda folder=folder: os.symlink("/", f"{folder}/root"))
            attempt(f"link {folder}", lambda folder=folder: os.link(__file__, f"{folder}/again"))
        attempt("temporary file", lambda: tempfile.TemporaryFile())
        report()
