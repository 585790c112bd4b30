"""Maps single pages far apart, so that page tables take more memory than the pages."""
# reason: used more than 512 MB of memory|crashed

import ctypes
import os
import time

MMAP, READ_WRITE, PRIVATE_ANONYMOUS_FIXED = 9, 3, 0x32


class SparsePlayer:
    name = "sparse"

    def take_turn(self, state):
        syscall = ctypes.CDLL(None).syscall
        syscall.restype = ctypes.c_long
        for _ in range(6):
            if os.fork() == 0:
                for number in range(1, 30000):
                    address = ctypes.c_void_p(number << 31)
                    size = ctypes.c_long(4096)
                    flags = PRIVATE_ANONYMOUS_FIXED
                    if syscall(MMAP, address, size, READ_WRITE, flags, -1, 0) > 0:
                        ctypes.memset(address, 1, 1)
                time.sleep(600)
        time.sleep(600)
