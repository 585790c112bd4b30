"""Makes as many mappings as it may and forks: the kernel's records of them are memory, too."""
# reason: used more than 512 MB of memory
# turn-timeout: 20

import ctypes
import os
import time

PRIVATE_ANONYMOUS, NOTHING, READ, PAGE = 0x22, 0, 1, 4096
PAIRS = 32000


class MappingPlayer:
    name = "mapping"

    def take_turn(self, state):
        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        size = ctypes.c_size_t(PAIRS * 2 * PAGE)
        start = libc.mmap(None, size, NOTHING, PRIVATE_ANONYMOUS, -1, ctypes.c_long(0))
        for pair in range(PAIRS):
            libc.mprotect(start + pair * 2 * PAGE, PAGE, READ)
        for _ in range(16):
            if os.fork() == 0:
                hoard = bytearray(b"x") * (20 << 20)
                time.sleep(600)
                del hoard
        time.sleep(600)
