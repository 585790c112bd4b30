"""Makes user namespaces of its own, where it would be root."""
# reason: crashed: RuntimeError: contained

import ctypes
import os

from attempts import call, report

UNSHARE, CLONE, CLONE3, SETNS = 272, 56, 435, 308
NAMESPACES = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "user and mount": 0x10020000,
}


class Arguments(ctypes.Structure):
    _fields_ = [("flags", ctypes.c_uint64), ("rest", ctypes.c_uint64 * 10)]


class NestingPlayer:
    name = "nesting"

    def take_turn(self, state):
        for name, flag in NAMESPACES.items():
            call(f"unshare {name}", UNSHARE, flag)
            arguments = Arguments(flag)
            if call(f"clone {name}", CLONE, flag | 17, None, None, None, None) == 0:
                os._exit(0)
            if call(f"clone3 {name}", CLONE3, ctypes.byref(arguments), 88) == 0:
                os._exit(0)
        call("setns", SETNS, 3, 0)
        report()
