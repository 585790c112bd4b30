"""Fills pipes, as large as it can have them, in many processes."""
# reason: (crashed: RuntimeError: contained|used more than 512 MB of memory)
# turn-timeout: 20

import contextlib
import fcntl
import os
import time

from attempts import report, worked

SET_SIZE, WANTED, MOST = 1031, 1 << 20, 256 << 20


def fill():
    """The bytes that this process's pipes take."""
    total = 0
    for _ in range(28):
        try:
            _, writing = os.pipe()
        except OSError:
            break
        with contextlib.suppress(OSError):
            fcntl.fcntl(writing, SET_SIZE, WANTED)
        os.set_blocking(writing, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                total += os.write(writing, bytes(65536))
    return total


class PipePlayer:
    name = "pipes"

    def take_turn(self, state):
        reading, writing = os.pipe()
        children = 0
        for _ in range(24):
            try:
                child = os.fork()
            except OSError:
                break
            if child == 0:
                os.write(writing, b"%12d" % fill())
                time.sleep(600)
            children += 1
        held = sum(int(os.read(reading, 12)) for _ in range(children))
        if held > MOST:
            worked.append(f"{held >> 20} MB in pipes")
        report()
