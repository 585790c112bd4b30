"""Keeps pages alive in pipes after it has given them back."""
# reason: crashed: RuntimeError: contained

import ctypes
import mmap
import os

from attempts import call, report

VMSPLICE = 278


class PinningPlayer:
    name = "pinning"

    def take_turn(self, state):
        _, writing = os.pipe()
        pages = mmap.mmap(-1, 1 << 21, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        vector = (ctypes.c_size_t * 2)(start, 1)
        call("vmsplice", VMSPLICE, writing, ctypes.byref(vector), 1, 0)
        report()
