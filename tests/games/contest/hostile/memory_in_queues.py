"""Keeps memory in message queues, in those of System V and in those of POSIX."""
# reason: crashed: RuntimeError: contained

import ctypes

from attempts import call, report

MSGGET, SEMGET, MQ_OPEN, CREATE = 68, 64, 240, 0o1600


class QueuePlayer:
    name = "queue"

    def take_turn(self, state):
        for _ in range(100):
            call("message queue", MSGGET, 0, CREATE)
            call("semaphores", SEMGET, 0, 32000, CREATE)
        call("mq_open", MQ_OPEN, ctypes.c_char_p(b"x"), 0o102, 0o600, None)
        report()
