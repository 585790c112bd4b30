"""Mounts a file system in memory, with the old interface and with the new one."""
# reason: crashed: RuntimeError: contained

import ctypes

from attempts import call, report

MOUNT, UMOUNT, FSOPEN, OPEN_TREE, MOVE_MOUNT = 165, 166, 430, 428, 429
TMPFS = ctypes.c_char_p(b"tmpfs")


class MountPlayer:
    name = "mount"

    def take_turn(self, state):
        for folder in (b"/", b"/player", b"/dev"):
            path = ctypes.c_char_p(folder)
            call("mount", MOUNT, TMPFS, path, TMPFS, 0, ctypes.c_char_p(b"size=4g"))
            call("writable", MOUNT, None, path, None, 32 | 4096, None)
            call("umount", UMOUNT, path, 2)
            call("open_tree", OPEN_TREE, -100, path, 1)
        call("fsopen", FSOPEN, TMPFS, 0)
        report()
