"""Raises in its constructor."""
# reason: crashed: ValueError: not today


class ThrowingPlayer:
    name = "throwing"

    def __init__(self):
        raise ValueError("not today")

    def take_turn(self, state):
        return 0, 0
