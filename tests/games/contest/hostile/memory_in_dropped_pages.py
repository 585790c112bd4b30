"""Fills shared memory and gives its pages back: they stay, but are nobody's."""
# reason: crashed: RuntimeError: contained
# turn-timeout: 20

import mmap
import os
import time

from attempts import attempt, report

SIZE = 200 << 20


def keep(fd=-1):
    held = mmap.mmap(fd, SIZE)
    for start in range(0, SIZE, mmap.PAGESIZE):
        held[start] = 1
    held.madvise(mmap.MADV_DONTNEED)
    return held


class DroppingPlayer:
    name = "dropping"

    def take_turn(self, state):
        attempt("a device that is memory", lambda: keep(os.open("/dev/zero", os.O_RDWR)))
        if attempt("shared memory without a file", keep):
            for _ in range(6):
                if os.fork() == 0:
                    held = keep()
                    time.sleep(600)
                    del held
            time.sleep(3)
        report()
