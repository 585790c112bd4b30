"""Recurses until the stack ends."""
# reason: crashed: (Recursion|Memory)Error|its process ended|took longer than|used more than
# turn-timeout: 0.5

import sys


class RecursivePlayer:
    name = "recursive"

    def take_turn(self, state):
        sys.setrecursionlimit(10**9)

        def down():
            return [down()]

        return down()
