"""Forks without end."""
# reason: crashed: BlockingIOError|took longer than|its process ended
# turn-timeout: 1

import os


class RabbitPlayer:
    name = "rabbit"

    def take_turn(self, state):
        while True:
            os.fork()
