"""Changes its root directory and the user that it is."""
# reason: crashed: RuntimeError: contained

import ctypes
import os

from attempts import attempt, call, report

PIVOT_ROOT, CAPSET = 155, 126


class RootPlayer:
    name = "root"

    def take_turn(self, state):
        attempt("chroot", lambda: os.chroot("/player"))
        path = ctypes.c_char_p(b"/player")
        call("pivot_root", PIVOT_ROOT, path, path)
        for change in (os.setuid, os.setgid, os.seteuid, os.setegid):
            attempt(change.__name__, lambda change=change: change(0))
        attempt("groups", lambda: os.setgroups([0]))
        version_3 = (ctypes.c_uint32 * 2)(0x20080522, 0)
        everything = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
        call("capabilities", CAPSET, ctypes.byref(version_3), ctypes.byref(everything))
        report()
