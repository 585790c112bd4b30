"""Sleeps for ever."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5

import time


class SleepingPlayer:
    name = "sleeping"

    def take_turn(self, state):
        time.sleep(600)
