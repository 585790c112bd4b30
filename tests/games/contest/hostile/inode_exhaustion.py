"""Makes folders without end, wherever it may."""
# reason: crashed: RuntimeError: contained

import os

from attempts import attempt, report


class FolderPlayer:
    name = "folder"

    def take_turn(self, state):
        for folder in ("/", "/tmp", "/dev", "/dev/shm", "/run", "/player", "/player/lib", "/etc"):
            for number in range(1000):
                if not attempt(folder, lambda p=f"{folder}/{number}": os.mkdir(p)):
                    break
        report()
