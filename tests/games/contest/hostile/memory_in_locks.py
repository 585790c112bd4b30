"""Locks single bytes of files that it may only read: the kernel keeps a record of each."""
# reason: crashed: RuntimeError: contained

import fcntl
import os
import struct

from attempts import attempt, report

OPEN_FILE_LOCK, LEASE, NOTIFY = 37, 1024, 1026


class LockingPlayer:
    name = "locking"

    def take_turn(self, state):
        fd = os.open(__file__, os.O_RDONLY)
        folder = os.open("/player", os.O_RDONLY)
        for byte in range(0, 2000, 2):
            attempt("lock", lambda byte=byte: fcntl.lockf(fd, fcntl.LOCK_SH, 1, byte))
            record = struct.pack("hhqqi", fcntl.F_RDLCK, 0, byte, 1, 0)
            attempt("lock of an open file", lambda r=record: fcntl.fcntl(fd, OPEN_FILE_LOCK, r))
        attempt("flock", lambda: fcntl.flock(fd, fcntl.LOCK_SH))
        attempt("lease", lambda: fcntl.fcntl(fd, LEASE, fcntl.F_RDLCK))
        attempt("notice", lambda: fcntl.fcntl(folder, NOTIFY, 2))
        report()
