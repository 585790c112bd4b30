"""Computes for ever."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5


class SpinningPlayer:
    name = "spinning"

    def take_turn(self, state):
        while True:
            pass
