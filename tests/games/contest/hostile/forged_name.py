"""Sends a name of control characters before its runner tells the real one."""
# reason: sent something that is not a reply

import os


class NamedPlayer:
    name = "named"

    def __init__(self):
        os.write(4, b'{"name": "\\u001b]0;owned\\u0007\\u001b[2J"}\n')

    def take_turn(self, state):
        raise RuntimeError("over")
