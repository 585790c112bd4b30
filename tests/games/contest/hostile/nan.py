"""Replies with what JSON has no numbers for."""
# reason: wrong return: x and y are whole numbers

import os


class NanPlayer:
    name = "nan"

    def take_turn(self, state):
        os.write(4, b'{"move": [NaN, -Infinity, 1e999]}\n')
        return 0, 0
