"""Sends an object that would run a command when it is unpickled."""
# reason: sent something that is not a reply

import os
import pickle

from canary import SECRET


class Bomb:
    def __reduce__(self):
        return os.truncate, (SECRET, 0)


class PicklePlayer:
    name = "pickle"

    def take_turn(self, state):
        os.write(4, pickle.dumps(Bomb()).replace(b"\n", b" ") + b"\n")
