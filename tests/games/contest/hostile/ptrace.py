"""Attaches to other processes and reads their memory."""
# reason: crashed: RuntimeError: contained

import ctypes
import os

from attempts import call, report

PTRACE, VM_READ, VM_WRITE, PIDFD_OPEN, PIDFD_GETFD = 101, 310, 311, 434, 438
ATTACH, SEIZE = 16, 0x4206


class TracingPlayer:
    name = "tracing"

    def take_turn(self, state):
        for pid in {1, os.getppid()}:
            call("attach", PTRACE, ATTACH, pid, 0, 0)
            call("seize", PTRACE, SEIZE, pid, 0, 0)
            vector = (ctypes.c_size_t * 2)(0x400000, 8)
            for number in (VM_READ, VM_WRITE):
                call("memory", number, pid, ctypes.byref(vector), 1, ctypes.byref(vector), 1, 0)
        own = ctypes.CDLL(None).syscall(PIDFD_OPEN, 1, 0)
        call("descriptor", PIDFD_GETFD, own, 0, 0)
        report()
