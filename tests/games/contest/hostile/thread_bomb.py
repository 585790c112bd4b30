"""Starts threads without end."""
# reason: crashed: RuntimeError: can't start new thread

import threading
import time


class ThreadPlayer:
    name = "thread"

    def take_turn(self, state):
        threading.stack_size(65536)
        for _ in range(1000):
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        return 0, 0
