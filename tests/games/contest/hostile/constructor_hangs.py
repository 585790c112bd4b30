"""Never finishes its constructor."""
# reason: took longer than 1 s
# load-timeout: 1

import time


class SlowStartPlayer:
    name = "slow start"

    def __init__(self):
        time.sleep(600)

    def take_turn(self, state):
        return 0, 0
