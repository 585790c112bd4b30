"""Fills every folder that takes a file."""
# reason: crashed: RuntimeError: contained

import os

from attempts import attempt, report

SKIPPED = ("/usr/share", "/usr/lib/python3")


class FillingPlayer:
    name = "filling"

    def take_turn(self, state):
        def fill(path):
            with open(path, "wb") as file:
                file.write(bytes(1 << 20))

        for folder, below, _ in os.walk("/"):
            attempt(folder, lambda folder=folder: fill(f"{folder}/filled"))
            if folder.count("/") > 2 or folder.startswith(SKIPPED):
                below.clear()
        report()
