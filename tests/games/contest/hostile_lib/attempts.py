"""Shared by hostile players: try something, and tell the referee whether it worked."""

import ctypes

worked = []
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


def attempt(what, thing):
    try:
        thing()
    except (OSError, MemoryError, LookupError, ValueError):
        return False
    worked.append(what)
    return True


def call(what, number, *arguments):
    """Make a system call by its number on x86_64."""
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result >= 0:
        worked.append(what)
    return result


def report():
    raise RuntimeError("worked: " + ", ".join(worked) if worked else "contained")
