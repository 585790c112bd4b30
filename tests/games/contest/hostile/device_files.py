"""Opens and makes device files."""
# reason: crashed: RuntimeError: contained

import os
import stat

from attempts import attempt, report


class DevicePlayer:
    name = "device"

    def take_turn(self, state):
        for path in ("/dev/mem", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/fuse", "/dev/kvm"):
            attempt(path, lambda path=path: os.open(path, os.O_RDONLY))
        for path in ("/dev/ptmx", "/dev/tty", "/dev/shm"):
            attempt(path, lambda path=path: os.open(path, os.O_RDWR))
        for folder in ("/dev", "/player", "/tmp", "/"):
            path = f"{folder}/disk"
            attempt(path, lambda path=path: os.mknod(path, stat.S_IFBLK | 0o666, os.makedev(8, 0)))
        report()
