"""Reaches files and memory by io_uring and the older asynchronous interface."""
# reason: crashed: RuntimeError: contained

import ctypes

from attempts import call, report

IO_URING_SETUP, IO_SETUP = 425, 206


class RingPlayer:
    name = "ring"

    def take_turn(self, state):
        call("io_uring", IO_URING_SETUP, 8, ctypes.create_string_buffer(256))
        call("aio", IO_SETUP, 8, ctypes.byref(ctypes.c_ulong()))
        report()
