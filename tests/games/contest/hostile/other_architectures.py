"""Makes system calls by the numbers of another architecture, which a filter may not know."""
# reason: its process ended

import ctypes

X32 = 0x40000000


class ForeignPlayer:
    name = "foreign"

    def take_turn(self, state):
        ctypes.CDLL(None).syscall(X32 + 319, b"x", 0)
        return 0, 0
