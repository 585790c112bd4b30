"""Fills segments of shared memory and detaches them: they belong to no process then."""
# reason: crashed: RuntimeError: contained

import ctypes

from attempts import call, report

SHMGET, SHMAT, SHMDT, CREATE = 29, 30, 67, 0o1600
SIZE = 100 << 20


class SegmentPlayer:
    name = "segment"

    def take_turn(self, state):
        for _ in range(20):
            segment = call("shared memory", SHMGET, 0, ctypes.c_size_t(SIZE), CREATE)
            if segment < 0:
                break
            address = ctypes.c_void_p(call("attach", SHMAT, segment, None, 0))
            ctypes.memset(address, 1, SIZE)
            call("detach", SHMDT, address)
        report()
