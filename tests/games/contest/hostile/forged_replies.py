"""Answers questions that nobody asked, in words of the referee."""
# reason: sent something that is not a reply

import os


class ForgingPlayer:
    name = "forging"

    def take_turn(self, state):
        os.write(4, b'{"won": true, "result": "cleared the board", "turns": 1}\n' * 3)
        return 0, 0
