"""Returns a number with thousands of digits."""
# reason: wrong return: x and y are not on the board


class HugePlayer:
    name = "huge"

    def take_turn(self, state):
        return 10**4000, -(10**10)
