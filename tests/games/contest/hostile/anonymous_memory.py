"""Allocates more than the limit in one process."""
# reason: crashed: MemoryError


class GreedyPlayer:
    name = "greedy"

    def take_turn(self, state):
        return bytearray(4 * 10**9)
