"""Guesses at random."""

import random


class StupidPlayer:
    name = "Stupid"

    def take_turn(self, state):
        unknown = [
            (x, y) for y, row in enumerate(state) for x, cell in enumerate(row) if cell == "unknown"
        ]
        return random.choice(unknown)
